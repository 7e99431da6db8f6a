package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.orderlog.Event;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Signs the events of a ledger, so that who can write to their topic cannot speak for its
 * instances. Thread-safe.
 */
public final class EventSeal {
  /** The header with the id of the ledger. */
  static final String LEDGER_HEADER = "ledger";

  /** The header with the signature: of partition, type, key, value and instance. */
  static final String MAC_HEADER = "mac";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int MAC_BYTES = 16;
  private static final int ID_MAX = 64;

  /** The author of an event. */
  enum Author {
    /** An instance of this ledger. */
    OURS,
    /** Perhaps an instance of a release that does not sign. */
    UNSIGNED,
    /** An instance of another ledger. */
    OTHER_LEDGER,
    /** It says that it is of this ledger, and is not. */
    FORGED
  }

  private final String ledger;
  private final byte[] ledgerBytes;
  private final ThreadLocal<Mac> macs;

  /**
   * @param ledger the id of the ledger
   * @param key that only its instances know
   */
  public EventSeal(String ledger, byte[] key) {
    this.ledger = ledger;
    this.ledgerBytes = ledger.getBytes(UTF_8);
    SecretKeySpec secret = new SecretKeySpec(key, ALGORITHM);
    this.macs = ThreadLocal.withInitial(() -> mac(secret));
  }

  private static Mac mac(SecretKeySpec secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("Expected every JDK to have " + ALGORITHM, missing);
    }
  }

  String ledger() {
    return ledger;
  }

  /**
   * Adds the headers that say whose the event is.
   *
   * @param instance that the record names; null if it names none
   */
  void addTo(Headers headers, int partition, Event event, @Nullable String instance) {
    headers.add(LEDGER_HEADER, ledgerBytes);
    headers.add(MAC_HEADER, sign(partition, event, instance));
  }

  private byte[] sign(int partition, Event event, @Nullable String instance) {
    Mac mac = macs.get();
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
    add(mac, event.type());
    add(mac, event.key());
    add(mac, instance == null ? "" : instance);
    add(mac, event.payload());
    return Arrays.copyOf(mac.doFinal(), MAC_BYTES);
  }

  /** Preceded by its length, so that no part can lend characters to the next. */
  private static void add(Mac mac, String part) {
    byte[] bytes = part.getBytes(UTF_8);
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    mac.update(bytes);
  }

  /** The author of this event, which was read with these headers. */
  Author authorOf(Headers headers, int partition, Event event) {
    String named = ledgerOf(headers);
    Header signed = headers.lastHeader(MAC_HEADER);
    if (named != null && !named.equals(ledger)) {
      return Author.OTHER_LEDGER;
    }
    if (named == null && signed == null) {
      return Author.UNSIGNED;
    }
    return signed != null
            && signed.value() != null
            && MessageDigest.isEqual(sign(partition, event, event.instance()), signed.value())
        ? Author.OURS
        : Author.FORGED;
  }

  /** The ledger that these headers name; null if they name none, or no id. */
  static @Nullable String ledgerOf(Headers headers) {
    Header header = headers.lastHeader(LEDGER_HEADER);
    byte[] value = header == null ? null : header.value();
    return value == null || value.length > ID_MAX ? null : new String(value, UTF_8);
  }
}
