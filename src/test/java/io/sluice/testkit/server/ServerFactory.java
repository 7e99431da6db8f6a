package io.sluice.testkit.server;

import java.util.Optional;

/** Knows each way to get a server of one kind. The returned server is running and answers. */
public interface ServerFactory<B extends Backend> {
  String name();

  /** The server that the environment names, if any. */
  Optional<B> named();

  /** A new container. */
  B inDocker();

  /** A process of the program installed on this machine, if it is installed. */
  Optional<B> ofSystem();

  /** A process of the program shipped in a jar. */
  B embedded();
}
