package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
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
  private static final byte[] NONE = {};

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

  /** Adds the headers that say whose the event is; it has all others by now. */
  void addTo(ProducerRecord<String, byte[]> event) {
    byte[] mac = sign(event.partition(), event.headers(), event.key(), event.value());
    event.headers().add(LEDGER_HEADER, ledgerBytes).add(MAC_HEADER, mac);
  }

  /**
   * Each part is preceded by its length, so that none can lend characters to the next.
   *
   * @param headers with the type of the event, and the instance if it names one
   */
  private byte[] sign(int partition, Headers headers, String key, byte[] value) {
    byte[][] parts = {
      valueOf(headers, KafkaEventPublisher.TYPE_HEADER),
      key.getBytes(UTF_8),
      valueOf(headers, InstanceName.HEADER)
    };
    int length = (parts.length + 2) * Integer.BYTES;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer before = ByteBuffer.allocate(length).putInt(partition);
    for (byte[] part : parts) {
      before.putInt(part.length).put(part);
    }
    before.putInt(value.length);
    Mac mac = macs.get();
    mac.update(before.array());
    mac.update(value);
    return Arrays.copyOf(mac.doFinal(), MAC_BYTES);
  }

  private static byte[] valueOf(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? NONE : header.value();
  }

  /** The author of an event that was read, which has a type, a key and a value. */
  Author authorOf(ConsumerRecord<String, byte[]> event) {
    String named = ledgerOf(event.headers());
    Header signed = event.headers().lastHeader(MAC_HEADER);
    if (named != null && !named.equals(ledger)) {
      return Author.OTHER_LEDGER;
    }
    if (named == null && signed == null) {
      return Author.UNSIGNED;
    }
    byte[] mac = sign(event.partition(), event.headers(), event.key(), event.value());
    return signed != null && MessageDigest.isEqual(mac, signed.value())
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
