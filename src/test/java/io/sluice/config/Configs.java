package io.sluice.config;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Configurations of tests. */
final class Configs {
  private static final int LIMIT_S = 20;

  private Configs() {}

  /** Of these variables alone. */
  static Config of(Map<String, String> environment) {
    return Config.read(new Settings(Map.of(), environment));
  }

  /** As at the start; fails as it does. */
  static ConfigLoader.Loaded load(@Nullable Path file, Map<String, String> environment)
      throws Exception {
    Future<ConfigLoader.Loaded> loading = ConfigLoader.load(file, environment);
    try {
      return loading.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }
}
