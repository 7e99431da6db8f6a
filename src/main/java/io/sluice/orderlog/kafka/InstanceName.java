package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.config.KafkaConfig;
import io.sluice.model.Limits;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How an instance names itself: in a header of its records, which is not signed, and which releases
 * that do not know it ignore; and, with its ledger, as a member of the group.
 */
final class InstanceName {
  static final String HEADER = "instance";

  private static final Pattern MEMBER = Pattern.compile(".*:ledger:([0-9a-f]{1,64}):\\d+");
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final byte[] id;

  InstanceName(String instanceId) {
    this.id = instanceId.getBytes(UTF_8);
  }

  String id() {
    return new String(id, UTF_8);
  }

  void addTo(Headers headers) {
    headers.add(HEADER, id);
  }

  /** The instance that these headers name; null if they name none, or no valid id. */
  static @Nullable String in(Headers headers) {
    Header header = headers.lastHeader(HEADER);
    byte[] value = header == null ? null : header.value();
    if (value == null || value.length > Limits.INSTANCE_ID_MAX) {
      return null;
    }
    String id = new String(value, UTF_8);
    return Limits.isInstanceId(id) ? id : null;
  }

  /**
   * The client id of the next consumer of this process, which names its ledger: everyone who
   * describes the group is shown it. It has that of the configuration in it. Releases that name
   * none have Kafka's form, {@code consumer-<group>-<n>}, and no group has a colon in its name.
   */
  static String member(KafkaConfig config, String ledger) {
    String base =
        config.properties().values().getOrDefault(CommonClientConfigs.CLIENT_ID_CONFIG, "sluice");
    return base + ":ledger:" + ledger + ":" + NUMBER.incrementAndGet();
  }

  /** The ledger that this client id names. */
  static Optional<String> ledgerIn(String clientId) {
    Matcher named = MEMBER.matcher(clientId);
    return named.matches() ? Optional.of(named.group(1)) : Optional.empty();
  }
}
