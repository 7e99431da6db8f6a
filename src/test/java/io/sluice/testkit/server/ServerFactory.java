package io.sluice.testkit.server;

import java.util.Optional;

/** Knows each way to come by a server of one kind. What it returns is running and answers. */
public interface ServerFactory<B extends Backend> {
  String name();

  /** The server that the environment names, if it names one. */
  Optional<B> named();

  /** A new container. */
  B inDocker();

  /** A process of the program that is installed on this machine, if it is. */
  Optional<B> ofSystem();

  /** A process of the program that came as a jar. */
  B embedded();
}
