package io.sluice.chaos.fault;

import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.KafkaPeer;
import io.sluice.testkit.kafka.Topics.Entry;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Faults of Kafka: killed or paused, records deleted, or a partition without a leader. */
final class LogBlows implements AutoCloseable {
  /** How a record of another program begins. */
  static final String FOREIGN = "of another program, ";

  static final Duration ASKED_WITHIN = Duration.ofSeconds(20);

  private final SaleSite site;
  private final KafkaBackend kafka;
  private final EventsTopic events;
  private final AtomicReference<KafkaPeer> peer = new AtomicReference<>();

  LogBlows(SaleSite site) {
    this.site = site;
    this.kafka = site.backends().kafka();
    this.events = new EventsTopic(site);
  }

  Blow of(Fault fault) {
    return switch (fault.kind()) {
      case KAFKA_KILLED -> Blow.of(kafka::kill, kafka::start);
      case KAFKA_PAUSED -> Blow.of(kafka::pause, kafka::resume);
      case LOG_TRIMMED -> Blow.of(this::deleteBooked, () -> {});
      case LOG_TRIMMED_ASIDE -> trimmedAside(site.instance(fault.aim().instance()));
      case LOG_FOREIGN -> Blow.of(() -> writeForeign(fault.number()), () -> {});
      case EVENTS_REMADE -> Blow.of(events::delete, events::make);
      case PARTITION_LEADERLESS -> leaderless(fault.number() % site.partitions());
      default -> throw new IllegalArgumentException("not a fault of Kafka: " + fault);
    };
  }

  /** The events of topics that were deleted, in the order of their partitions. */
  List<Entry> formerEvents() {
    return events.former();
  }

  /** What no release of ours writes, in a transaction: its end is an offset without a record. */
  private void writeForeign(int number) {
    site.topics()
        .writeInTransaction(site.ordersTopic(), number % site.partitions(), FOREIGN + number);
  }

  /**
   * The instance learns of the deletion only when it continues; others may have taken over by then.
   */
  private Blow trimmedAside(SluiceProcess instance) {
    return Blow.of(
        () -> {
          instance.pause();
          deleteBooked();
        },
        instance::resume);
  }

  /**
   * The partition is moved to a second broker, which is killed. The other partitions and topics
   * stay on the first one.
   */
  private Blow leaderless(int partition) {
    return Blow.of(
            () -> {
              peer.get().kill();
              peer.get().awaitLeaders(false);
            },
            () -> {
              peer.get().start();
              peer.get().awaitLeaders(true);
            })
        .between(
            () -> {
              peer.set(kafka.startPeer());
              peer.get().lead(site.ordersTopic(), List.of(partition));
            },
            this::close);
  }

  /**
   * Deletes records that the ledger has booked, as retention may at any time: nobody has to read
   * them again.
   */
  private void deleteBooked() {
    Map<TopicPartition, RecordsToDelete> booked =
        site.ledger().nextOffsets().entrySet().stream()
            .collect(
                Collectors.toMap(
                    next -> new TopicPartition(site.ordersTopic(), next.getKey()),
                    next -> RecordsToDelete.beforeOffset(next.getValue())));
    kafka.ask(ASKED_WITHIN, admin -> admin.deleteRecords(booked).all());
  }

  /** Moves the partitions back to the first broker and stops the second one. */
  @Override
  public void close() {
    KafkaPeer running = peer.getAndSet(null);
    if (running != null) {
      running.close();
    }
  }
}
