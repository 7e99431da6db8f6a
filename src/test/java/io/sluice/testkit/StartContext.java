package io.sluice.testkit;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a factory needs to start a server: where its files go, the environment, and who hears of it.
 */
record StartContext(
    Path folder, Map<String, String> environment, ServerOptions options, StartListener listener) {
  /** The folder of one server. */
  Path folderOf(String name) {
    return Folders.create(folder.resolve(name));
  }

  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  void preparing(String name, String detail) {
    listener.onChange(name, StartListener.State.PREPARING, detail);
  }

  void starting(String name, String detail) {
    listener.onChange(name, StartListener.State.STARTING, detail);
  }
}
