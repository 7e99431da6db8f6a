package io.sluice.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.config.AuthConfig;
import io.sluice.config.InvalidConfigException;
import io.sluice.model.Sha256;
import io.sluice.monitor.Alarm;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys in force, shared by all event loops. A file is read again while it is in use. All of its
 * keys are replaced at once, and a file that cannot be used leaves the former ones in force.
 */
public final class KeyRing {
  /** The file is small, so it is read rather than asked for its time: that may lag or be kept. */
  public static final Duration READ_EVERY = Duration.ofSeconds(5);

  /** Unknown key ids come from anybody; each may be that of a new key. */
  static final Duration ASK_EVERY = Duration.ofMinutes(1);

  /** About 30 MiB of claims. */
  private static final int VERIFIED_MAX = 100_000;

  private static final Logger log = LoggerFactory.getLogger(KeyRing.class);

  /**
   * Keys, and the tokens that they have verified: a token of a key that is gone is not found any
   * more.
   */
  record Era(KeySet keys, Cache<TokenHash, Claims> verified) {
    static Era of(KeySet keys) {
      return new Era(
          keys, Caffeine.newBuilder().maximumSize(VERIFIED_MAX).executor(Runnable::run).build());
    }
  }

  private final KeySource source;
  private final LongSupplier nanoTime;
  private final AtomicReference<@Nullable Long> askedNanos = new AtomicReference<>();
  private volatile Runnable reader = () -> {};
  private volatile Era era;

  /** Guarded by this, like the next. */
  private String lastText;

  private String lastFault = "";

  private KeyRing(KeySource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
    this.lastText = source.text();
    this.era = Era.of(source.keys(lastText));
  }

  /**
   * The configured keys, or null if none are. Blocks.
   *
   * @throws InvalidConfigException if they cannot be used
   */
  public static @Nullable KeyRing open(AuthConfig config, LongSupplier nanoTime) {
    if (!config.hasTokenKeys()) {
      return null;
    }
    return new KeyRing(KeySource.of(config), nanoTime);
  }

  LongSupplier nanoTime() {
    return nanoTime;
  }

  Era era() {
    return era;
  }

  /** Sets what reads the file soon, on a thread that may block. */
  void readBy(Runnable newReader) {
    reader = newReader;
  }

  /**
   * Has a file read at this interval from now on, on a worker thread, once at a time.
   *
   * @return ends that
   */
  public Runnable watch(Vertx vertx, Duration interval) {
    if (!source.isFile()) {
      return () -> {};
    }
    AtomicBoolean isReading = new AtomicBoolean();
    readBy(
        () -> {
          if (isReading.compareAndSet(false, true)) {
            vertx
                .executeBlocking(
                    () -> {
                      readAgain();
                      return true;
                    },
                    false)
                .onComplete(read -> isReading.set(false));
          }
        });
    long timer = vertx.setPeriodic(interval.toMillis(), tick -> reader.run());
    return () -> vertx.cancelTimer(timer);
  }

  /** Notified of a token with an unknown key: the file is read again, at most once a minute. */
  void missed() {
    Long asked = askedNanos.get();
    long now = nanoTime.getAsLong();
    boolean isDue = asked == null || now - asked >= ASK_EVERY.toNanos();
    if (isDue && askedNanos.compareAndSet(asked, now)) {
      reader.run();
    }
  }

  /** Reads the file, and replaces the keys if it has others. Blocks. */
  synchronized void readAgain() {
    try {
      String text = source.text();
      if (!text.equals(lastText)) {
        KeySet keys = source.keys(text);
        era = Era.of(keys);
        lastText = text;
        log.atInfo()
            .addKeyValue("file", source.path())
            .addKeyValue("keys", keys.byId().size())
            .log("keys of tokens replaced");
      }
      lastFault = "";
    } catch (InvalidConfigException unusable) {
      report(String.valueOf(unusable.getMessage()));
    }
  }

  /** Once for each fault, not at every reading. */
  private void report(String fault) {
    if (!fault.equals(lastFault)) {
      lastFault = fault;
      Alarm.KEYS_UNREADABLE.raise(
          log.atError().addKeyValue("file", source.path()).addKeyValue("why", fault));
    }
  }

  /** The SHA-256 of a token: a reader of the memory learns nothing from it. */
  record TokenHash(long a, long b, long c, long d) {
    static TokenHash of(String token) {
      ByteBuffer hash = ByteBuffer.wrap(Sha256.of(token));
      return new TokenHash(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }
  }
}
