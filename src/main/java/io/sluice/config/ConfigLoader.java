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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration, whole and checked, on a Vertx of its own that is closed again: the
 * service's Vertx is made from what is read here.
 */
public final class ConfigLoader {

  /**
   * What was read.
   *
   * @param warnings one sentence for each variable of the environment that looks like ours and is
   *     not
   */
  public record Loaded(Config config, List<String> warnings) {}

  private ConfigLoader() {}

  /**
   * Reads file and environment; fails with {@link InvalidConfigException} and nothing else.
   *
   * @param file YAML, or null: then there are the defaults and the environment
   */
  public static Future<Loaded> load(@Nullable Path file, Map<String, String> environment) {
    if (file == null) {
      return Future.succeededFuture(Map.<String, @Nullable Object>of())
          .map(values -> checked(values, environment));
    }
    Vertx vertx = shortLived();
    // A promise of no Vertx: a Future of this one would be completed on a loop that is gone.
    Promise<JsonObject> closed = Promise.promise();
    read(vertx, file).onComplete(json -> vertx.close().onComplete(done -> closed.handle(json)));
    return closed.future().map(json -> checked(flattened(json), environment));
  }

  private static Vertx shortLived() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            // The file is the one that was named, not one of the same name on the class path.
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
    return retriever
        .getConfig()
        .eventually(retriever::close)
        .recover(cause -> unreadable(file, cause));
  }

  private static Future<JsonObject> unreadable(Path file, Throwable cause) {
    if (cause instanceof NullPointerException) {
      // What vertx-config makes of a file that holds nothing but comments.
      return Future.succeededFuture(new JsonObject());
    }
    return Future.failedFuture(
        new InvalidConfigException(
            file.toString(), file + " must be a YAML file that can be read: " + sentence(cause)));
  }

  /** The innermost reason in one line: YAML's messages quote the file over several. */
  private static String sentence(Throwable cause) {
    Throwable innermost = cause;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }

  /** Values by path; a section without any key stands for itself. */
  private static Map<String, @Nullable Object> flattened(JsonObject json) {
    Map<String, @Nullable Object> values = new HashMap<>();
    for (Map.Entry<String, Object> section : json) {
      Object keys = section.getValue();
      if (keys instanceof JsonObject object && !object.isEmpty()) {
        object.forEach(
            entry -> values.put(section.getKey() + "." + entry.getKey(), entry.getValue()));
      } else if (keys == null || keys instanceof JsonObject) {
        values.put(section.getKey(), null);
      } else {
        throw new InvalidConfigException(
            section.getKey(), section.getKey() + " must be a section of keys, was a single value");
      }
    }
    return values;
  }

  private static Loaded checked(
      Map<String, @Nullable Object> values, Map<String, String> environment) {
    Settings settings = new Settings(values, environment);
    Config config = Config.read(settings);
    settings.checkAllKnown();
    return new Loaded(config, settings.warnings());
  }
}
