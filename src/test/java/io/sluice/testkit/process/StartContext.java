package io.sluice.testkit.process;

import io.sluice.testkit.server.ServerOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a factory needs to start a server: a folder for its files, the environment, options, and a
 * listener.
 */
public record StartContext(
    Path folder, Map<String, String> environment, ServerOptions options, StartListener listener) {
  /** The folder of one server. */
  public Path folderOf(String name) {
    return Folders.create(folder.resolve(name));
  }

  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  public void preparing(String name, String detail) {
    listener.onChange(name, StartListener.State.PREPARING, detail);
  }

  public void starting(String name, String detail) {
    listener.onChange(name, StartListener.State.STARTING, detail);
  }
}
