package io.sluice.config;

import io.vertx.config.ConfigRetriever;
import io.vertx.config.ConfigRetrieverOptions;
import io.vertx.config.ConfigStoreOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Reads and checks the whole configuration, on a Vertx of its own that is closed afterwards,
 * because the service's Vertx is built from this configuration.
 */
public final class ConfigLoader {
  private static final int CAUSES_MAX = 16;
  private static final String SUBSECTION = ".tls";

  /**
   * The configuration that was read.
   *
   * @param warnings one sentence for each environment variable that starts like a key but is none
   */
  public record Loaded(Config config, List<String> warnings) {}

  private ConfigLoader() {}

  /**
   * Reads file and environment; blocks.
   *
   * @param file YAML, or null for the defaults and the environment alone
   * @throws InvalidConfigException if a value is not as expected, or the file cannot be read
   */
  public static Loaded load(@Nullable Path file, Map<String, String> environment) {
    Settings settings = new Settings(file == null ? Map.of() : flattened(read(file)), environment);
    Config config = Config.read(settings);
    settings.checkAllKnown();
    return new Loaded(config, settings.warnings());
  }

  private static JsonObject read(Path file) {
    Vertx vertx = shortLived();
    // A promise without a Vertx: a Future of this Vertx would be completed on an event loop that is
    // closed.
    Promise<JsonObject> closed = Promise.promise();
    read(vertx, file).onComplete(json -> vertx.close().onComplete(done -> closed.handle(json)));
    try {
      return closed.future().toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException failed) {
      return unreadable(file, failed.getCause());
    }
  }

  private static Vertx shortLived() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            // Read the named file, not one of the same name on the class path.
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setClassPathResolvingEnabled(false)
                    .setFileCachingEnabled(false)));
  }

  private static Future<JsonObject> read(Vertx vertx, Path file) {
    ConfigStoreOptions store =
        new ConfigStoreOptions()
            .setType("file")
            .setFormat("yaml")
            .setConfig(new JsonObject().put("path", file.toAbsolutePath().toString()));
    ConfigRetriever retriever =
        ConfigRetriever.create(
            vertx, new ConfigRetrieverOptions().setScanPeriod(-1).addStore(store));
    return retriever.getConfig().eventually(retriever::close);
  }

  private static JsonObject unreadable(Path file, @Nullable Throwable cause) {
    if (cause instanceof NullPointerException) {
      // The result of vertx-config for a file that has only comments.
      return new JsonObject();
    }
    throw new InvalidConfigException(
        file.toString(), file + " must be a YAML file that can be read" + where(cause));
  }

  /** The place alone: YAML's own messages quote the file, which may have a secret there. */
  private static String where(@Nullable Throwable cause) {
    Throwable each = cause;
    for (int depth = 0; each != null && depth < CAUSES_MAX; depth++) {
      if (each instanceof MarkedYAMLException yaml && yaml.getProblemMark() != null) {
        Mark mark = yaml.getProblemMark();
        return ": line %d, column %d is not YAML"
            .formatted(mark.getLine() + 1, mark.getColumn() + 1);
      }
      if (each instanceof NoSuchFileException) {
        return ": it does not exist";
      }
      each = each.getCause();
    }
    return "";
  }

  /** Values by path; a section without any key is kept as a value. */
  private static Map<String, @Nullable Object> flattened(JsonObject json) {
    Map<String, @Nullable Object> values = new HashMap<>();
    for (Map.Entry<String, Object> section : json) {
      Object keys = section.getValue();
      if (keys instanceof JsonObject object && !object.isEmpty()) {
        object.forEach(
            entry -> put(values, section.getKey() + "." + entry.getKey(), entry.getValue()));
      } else if (keys == null || keys instanceof JsonObject) {
        values.put(section.getKey(), null);
      } else {
        String name = Settings.shownKey(section.getKey());
        throw new InvalidConfigException(
            name, name + " must be a section of keys, was a single value");
      }
    }
    return values;
  }

  /** Of the values of a section only {@code tls} is a section itself; others may be maps. */
  private static void put(
      Map<String, @Nullable Object> values, String path, @Nullable Object value) {
    if (path.endsWith(SUBSECTION) && value instanceof JsonObject keys) {
      keys.forEach(entry -> values.put(path + "." + entry.getKey(), entry.getValue()));
    } else {
      values.put(path, value);
    }
  }
}
