package io.sluice.testkit.kafka;

import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.BackendException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The command that runs a broker. Brokers of tests do not live long: they do without the second
 * compiler, and take their classes from an archive of the JVM, with which a start takes 1.7 instead
 * of 2.9 seconds of processor time. The first broker of a new checkout makes that archive.
 */
final class BrokerJvm {
  private static final Pattern BROKER_JAR = Pattern.compile("kafka_2\\.13-([0-9.]+)\\.jar");

  /** Set by the tests. */
  private static final String BRIEF = "sluice.test.brief";

  private static final String LOGGING = "kafka-log4j2.properties";
  private static final String ARCHIVE = "classes.jsa";
  private static final List<String> FLAGS =
      List.of(
          "-Xms256m",
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-Dlog4j2.configurationFile=classpath:" + LOGGING);

  private static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  private final String classPath = readClassPath();
  private List<String> brief = List.of();

  /** The release of the broker that the build downloads. */
  String version() {
    Matcher jar = BROKER_JAR.matcher(classPath);
    if (!jar.find()) {
      throw new BackendException("no broker on the class path " + classPath);
    }
    return jar.group(1);
  }

  /** To be called before a broker is started; {@code record} makes the archive if there is none. */
  void prepare(Workspace.Maker record) {
    if (Boolean.getBoolean(BRIEF)) {
      Path archive = Workspace.cached(archiveName(), record).resolve(ARCHIVE);
      brief = List.of(FIRST_COMPILER_ONLY, "-XX:SharedArchiveFile=" + archive);
    }
  }

  /** Runs the broker. */
  List<String> command(Path properties) {
    return command(properties, brief);
  }

  /** Runs the broker, and writes the archive of its classes into the folder when it is stopped. */
  List<String> recording(Path properties, Path folder) {
    return command(
        properties,
        List.of(FIRST_COMPILER_ONLY, "-XX:ArchiveClassesAtExit=" + folder.resolve(ARCHIVE)));
  }

  private List<String> command(Path properties, List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(more);
    command.addAll(List.of("-cp", ownJar() + File.pathSeparator + classPath));
    command.addAll(List.of(KafkaServerMain.class.getName(), properties.toString()));
    return command;
  }

  /** Another JVM, or other classes, need another archive. */
  private String archiveName() {
    return "kafka-%s-classes-%s-%s"
        .formatted(version(), System.getProperty("java.runtime.version"), checksum());
  }

  /**
   * The main class in a jar, since the JVM archives nothing where a folder is on the class path.
   */
  private static Path ownJar() {
    return Workspace.cached("kafka-main-" + checksum(), BrokerJvm::writeJar).resolve("main.jar");
  }

  private static void writeJar(Path folder) throws IOException {
    try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve("main.jar")))) {
      for (String name : List.of(mainClass(), LOGGING)) {
        jar.putNextEntry(new JarEntry(name));
        jar.write(bytesOf(name));
      }
    }
  }

  private static String checksum() {
    CRC32 sum = new CRC32();
    sum.update(bytesOf(mainClass()));
    sum.update(bytesOf(LOGGING));
    return Long.toHexString(sum.getValue());
  }

  private static String mainClass() {
    return KafkaServerMain.class.getName().replace('.', '/') + ".class";
  }

  private static byte[] bytesOf(String resource) {
    try (InputStream in = BrokerJvm.class.getClassLoader().getResourceAsStream(resource)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String readClassPath() {
    Path file = Workspace.root().resolve("kafka.classpath");
    try {
      return Files.readString(file).strip().replaceAll("\\s*\\R\\s*", File.pathSeparator);
    } catch (IOException e) {
      throw new BackendException(
          "the broker's class path is missing, run 'mvn test-compile' once: " + file, e);
    }
  }
}
