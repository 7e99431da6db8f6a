package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jars that the build has made: each has its own classes only. */
class ClientJarIT {
  private static final Path CLIENT = Path.of("target", "sluice-client.jar");
  private static final Path SERVICE = Path.of("target", "sluice.jar");

  private static List<String> files(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .filter(entry -> !entry.isDirectory())
          .map(ZipEntry::getName)
          .filter(name -> !name.equals(JarFile.MANIFEST_NAME))
          .toList();
    }
  }

  @Test
  void shouldHaveTheClientInAJarOfItsOwn() throws IOException {
    // when
    List<String> client = files(CLIENT);
    List<String> service = files(SERVICE);

    // then
    assertThat(client)
        .contains("META-INF/LICENSE", "io/sluice/client/SluiceClient.class")
        .allMatch(name -> name.matches("META-INF/LICENSE|io/sluice/client/[A-Za-z$]+[.]class"));
    assertThat(service)
        .contains("io/sluice/Main.class")
        .noneMatch(name -> name.startsWith("io/sluice/client/"));
  }

  @Test
  void shouldNeedTheJdkAlone() {
    // given
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    StringWriter said = new StringWriter();

    // when
    int code =
        jdeps.run(
            new PrintWriter(said), new PrintWriter(said), "--print-module-deps", CLIENT.toString());

    // then
    assertThat(code).as(said.toString()).isZero();
    assertThat(said.toString().strip()).isEqualTo("java.base,java.net.http");
  }
}
