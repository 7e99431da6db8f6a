package io.sluice.testkit.kafka;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * The main class of the broker's JVM: formats the data folder if it is new, then runs the server
 * until it is stopped.
 *
 * <p>It runs on the broker's class path, which this project does not compile against; hence the
 * reflection.
 */
public final class KafkaServerMain {
  /** Any id: each broker here is a cluster of its own. */
  private static final String CLUSTER_ID = "c2x1aWNlLXRlc3RraXQtMQ";

  private KafkaServerMain() {}

  public static void main(String[] args) {
    try {
      run(Path.of(args[0]));
    } catch (Throwable e) {
      e.printStackTrace(System.err);
      Runtime.getRuntime().halt(1);
    }
  }

  private static void run(Path file) throws IOException, ReflectiveOperationException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    if (!new File(properties.getProperty("log.dirs"), "meta.properties").exists()) {
      format(file);
    }
    Class<?> configType = Class.forName("kafka.server.KafkaConfig");
    Class<?> timeType = Class.forName("org.apache.kafka.common.utils.Time");
    Object server =
        Class.forName("kafka.server.KafkaRaftServer")
            .getConstructor(configType, timeType)
            .newInstance(
                configType.getConstructor(Map.class).newInstance(properties),
                timeType.getField("SYSTEM").get(null));
    Method shutdown = server.getClass().getMethod("shutdown");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> call(shutdown, server), "shutdown"));
    call(server.getClass().getMethod("startup"), server);
    call(server.getClass().getMethod("awaitShutdown"), server);
  }

  private static void format(Path file) throws ReflectiveOperationException {
    Object exitCode =
        Class.forName("kafka.tools.StorageTool")
            .getMethod("execute", String[].class, PrintStream.class)
            .invoke(
                null,
                new String[] {"format", "--cluster-id", CLUSTER_ID, "--config", file.toString()},
                System.out);
    if (!Integer.valueOf(0).equals(exitCode)) {
      throw new IllegalStateException("formatting ended with " + exitCode);
    }
  }

  private static void call(Method method, Object server) {
    try {
      method.invoke(server);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
