package io.sluice.orderlog.kafka;

import io.sluice.config.KafkaConfig;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * The client id of a member of the group, which names its ledger: everyone who describes the group
 * is shown it. Releases that name none have Kafka's form, {@code consumer-<group>-<n>}, and no
 * group has a colon in its name.
 */
final class MemberName {
  private static final Pattern FORM = Pattern.compile(".*:ledger:([0-9a-f]{1,64}):\\d+");
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private MemberName() {}

  /** A name for the next consumer of this process; it has that of the configuration in it. */
  static String next(KafkaConfig config, String ledger) {
    String base =
        config.properties().values().getOrDefault(CommonClientConfigs.CLIENT_ID_CONFIG, "sluice");
    return base + ":ledger:" + ledger + ":" + NUMBER.incrementAndGet();
  }

  /** The ledger that this name has in it. */
  static Optional<String> ledgerIn(String clientId) {
    Matcher named = FORM.matcher(clientId);
    return named.matches() ? Optional.of(named.group(1)) : Optional.empty();
  }
}
