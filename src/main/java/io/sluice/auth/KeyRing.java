package io.sluice.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.Reloaded;
import io.sluice.config.AuthConfig;
import io.sluice.config.InvalidConfigException;
import io.sluice.monitor.Alarm;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.time.Duration;
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
   * Keys, and the tokens that they have verified, by their SHA-256: a token of a key that is gone
   * is not found any more, and a reader of the memory learns nothing.
   */
  record Era(KeySet keys, Cache<ByteBuffer, Claims> verified) {
    static Era of(KeySet keys) {
      return new Era(
          keys, Caffeine.newBuilder().maximumSize(VERIFIED_MAX).executor(Runnable::run).build());
    }
  }

  private final KeySource source;
  private final LongSupplier nanoTime;
  private final Reloaded<String, Era> file;
  private final AtomicReference<@Nullable Long> askedNanos = new AtomicReference<>();
  private volatile Runnable reader = () -> {};

  private KeyRing(KeySource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
    this.file =
        new Reloaded<>(
            source::text,
            text -> Era.of(source.keys(text)),
            era ->
                log.atInfo()
                    .addKeyValue("file", source.path())
                    .addKeyValue("keys", era.keys().byId().size())
                    .log("keys of tokens replaced"),
            why ->
                Alarm.KEYS_UNREADABLE.raise(
                    log.atError().addKeyValue("file", source.path()).addKeyValue("why", why)));
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
    return file.now();
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
    readBy(() -> file.readAgain(vertx));
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
  void readAgain() {
    file.readAgain();
  }
}
