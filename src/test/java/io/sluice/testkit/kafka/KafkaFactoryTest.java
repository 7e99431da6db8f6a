package io.sluice.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.server.DockerServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests run against the same release of the broker, in a container or not. */
class KafkaFactoryTest {
  private static final Pattern OF_THE_POM =
      Pattern.compile("<kafka\\.broker\\.version>([^<]+)</kafka\\.broker\\.version>");

  @Test
  void shouldRunTheReleaseOfThePomWhenInDockerOrNot() throws IOException {
    // given
    Matcher pom = OF_THE_POM.matcher(Files.readString(Path.of("pom.xml")));
    assertThat(pom.find()).isTrue();

    // when
    String image = DockerServers.kafkaImage();

    // then
    assertThat(image).isEqualTo("apache/kafka:" + pom.group(1));
    assertThat(KafkaFactory.brokerVersion()).isEqualTo(pom.group(1));
  }
}
