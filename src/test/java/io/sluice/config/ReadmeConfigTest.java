package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration that README shows for production. */
class ReadmeConfigTest {
  private static final int LINES_MAX = 30;

  @TempDir Path folder;

  @Test
  void shouldLeaveNoUnsafeDefaultWhenItIsUsed() throws Exception {
    // given
    String shown = shown();
    Certificates authority = Certificates.foundedIn(folder.resolve("authority"), "the authority");
    Certificates.Issued issued = authority.issue("tls", "sluice.internal");
    shown =
        shown
            .replace("/etc/sluice/ca.crt", authority.ca().toString())
            .replace("/etc/sluice/tls.crt", issued.certificate().toString())
            .replace("/etc/sluice/tls.key", issued.key().toString());
    Files.setPosixFilePermissions(issued.key(), PosixFilePermissions.fromString("rw-------"));
    Path file = Files.writeString(folder.resolve("sluice.yaml"), shown);
    Map<String, String> environment =
        Map.of(
            "SLUICE_AUTH_SERVICE_TOKEN_FILE", secret("the-word-of-the-office"),
            "SLUICE_ADMIN_TOKENS_FILE", secret("anne:operator:the-word-of-anne"),
            "SLUICE_REDIS_URI_FILE", secret("rediss://sluice:p%40ss@redis.internal:6380"),
            "SLUICE_KAFKA_PROPERTIES_FILE", secret("security.protocol=SASL_SSL"),
            "SLUICE_MYSQL_URI_FILE", secret("mysql://sluice:p%40ss@mysql.internal:3306/sluice"));

    // when
    ConfigLoader.Loaded loaded = ConfigLoader.load(file, environment);

    // then
    assertThat(loaded.warnings()).isEmpty();
    assertThat(UnsafeDefaults.of(loaded.config())).isEmpty();
    assertThat(shown.lines().count()).isLessThanOrEqualTo(LINES_MAX);
  }

  /** {@code ps} and {@code docker inspect} show both. */
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/deploy.md", "docs/security.md"})
  void shouldPutNoSecretOnACommandLine(String page) throws IOException {
    // when
    String text = Files.readString(Path.of(page));

    // then
    assertThat(text)
        .doesNotContainPattern("-e SLUICE_(?:AUTH_\\w+_(?:TOKEN|SECRET)|ADMIN_TOKENS?)=")
        .doesNotContainPattern("-e SLUICE_(?:REDIS_URI|KAFKA_PROPERTIES|MYSQL_URI)=");
  }

  private static String shown() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("```yaml\n") + "```yaml\n".length();
    return readme.substring(begin, readme.indexOf("```", begin));
  }

  private String secret(String content) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "secret", ""), content).toString();
  }
}
