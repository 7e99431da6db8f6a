package io.sluice.explore.actor;

import io.sluice.async.LoopContext;
import io.sluice.async.LoopContext.Timers;
import io.sluice.config.Config;
import io.sluice.explore.run.NodeStores;
import io.sluice.explore.run.World;
import io.sluice.explore.store.Group;
import io.sluice.explore.store.Op;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OwnerRequest;
import io.sluice.metrics.TestMeters;
import io.sluice.model.Order;
import io.sluice.orderlog.InMemoryOrderLogConsumer;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.sluice.owner.BookingRounds;
import io.sluice.owner.KnownFences;
import io.sluice.owner.OwnerContext;
import io.sluice.owner.Ownership;
import io.sluice.owner.PartitionOwner;
import io.sluice.stock.Stock;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** An instance as an owner of partitions: a {@link PartitionOwner} of each, and their timers. */
public final class OwnerNode implements PartitionListener {
  private static final long POLL_EVERY_US = 40_000;
  private static final long REQUESTS_EVERY_US = 300_000;
  private static final long OUTBOX_EVERY_US = 500_000;
  private static final long WATCH_EVERY_US = 500_000;
  private static final long PURGE_EVERY_US = 10_000_000;
  private static final long FENCE_EVERY_US = 1_000_000;

  /** More often than in the product, so that a run is not long. */
  private static final long ENDS_EVERY_US = 10_000_000;

  private static final Duration STOP_MAX = Duration.ofSeconds(5);
  private static final Duration EVENTS_GATHER = Duration.ofMillis(50);
  private static final Duration RETRY = Duration.ofMillis(200);
  private static final int REQUESTS_MAX = 200;
  private static final int POLL_MAX = 4;
  private static final int ROUNDS_SLOWER = 100;
  private static final int ROUNDS_HELD_UP = 500;

  private final World world;
  private final Node node;
  private final InMemoryOrderLogConsumer consumer;
  private final NodeStores stores;
  private final Timers timers;
  private final KnownFences known = new KnownFences();
  private final BookingRounds rounds;
  private final Map<Integer, Seat> seats = new TreeMap<>();
  private final Set<Integer> assigned = new TreeSet<>();
  private final Map<Integer, Long> seenGenerations = new HashMap<>();

  OwnerNode(World world, Node node) {
    this.world = world;
    this.node = node;
    this.consumer = new InMemoryOrderLogConsumer(world.log());
    this.timers = node.timers();
    this.stores = world.storesOf(node);
    this.rounds = new BookingRounds(pace(), stores.ledger(), writers(), () -> false);
  }

  /** On some nodes two rounds may be under way at the same time. */
  private int writers() {
    boolean hasTwo = world.chance().of(node.name(), "writers", 0).nextInt(3) == 0;
    return hasTwo && !world.scenario().heldUp() ? 2 : 1;
  }

  /** On some nodes rounds wait so long that mostly several partitions share one. */
  private LoopContext pace() {
    boolean isSlow = world.chance().of(node.name(), "rounds", 0).nextBoolean();
    int times = world.scenario().heldUp() ? ROUNDS_HELD_UP : isSlow ? ROUNDS_SLOWER : 1;
    LoopContext loop = node.loop();
    return new LoopContext(
        loop.nanoTime(), delay -> timers.after(delay.multipliedBy(times)), loop.executor());
  }

  public Node node() {
    return node;
  }

  void start() {
    consumer.start(this);
    world.instances().group().join(this);
    node.every(POLL_EVERY_US, this::poll);
    node.every(REQUESTS_EVERY_US, this::serveRequests);
    every(world.scenario().timeoutScanMs() * 1_000L, PartitionOwner::scanTimeouts);
    every(WATCH_EVERY_US, PartitionOwner::watchBuckets);
    every(world.scenario().checks().everyMs() * 1_000L, PartitionOwner::reconcile);
    every(OUTBOX_EVERY_US, PartitionOwner::relayOutbox);
    every(FENCE_EVERY_US, PartitionOwner::watchFence);
    every(PURGE_EVERY_US, PartitionOwner::purgeOutbox);
    every(ENDS_EVERY_US, PartitionOwner::watchEnds);
  }

  private void every(long periodUs, Consumer<PartitionOwner> duty) {
    node.every(
        periodUs,
        () -> {
          for (Seat seat : List.copyOf(seats.values())) {
            if (seat.owner != null) {
              duty.accept(seat.owner);
            }
          }
        });
  }

  /**
   * Applies a rebalance. A partition that was lost and assigned again in between is treated as
   * lost.
   */
  public void synchronize() {
    for (int partition = 0; partition < world.scenario().partitions(); partition++) {
      synchronize(partition, world.instances().group());
    }
  }

  private void synchronize(int partition, Group group) {
    Long seen = seenGenerations.put(partition, group.generation(partition));
    if (seen != null && seen == group.generation(partition)) {
      return;
    }
    if (assigned.remove(partition)) {
      consumer.revoke(Set.of(partition));
    }
    if (group.owns(this, partition)) {
      assigned.add(partition);
      consumer.assign(Set.of(partition));
    }
  }

  private void poll() {
    if (!world.isAway(Op.Store.LOG)) {
      consumer.poll(
          1 + world.chance().of(node.name(), "poll", node.count("poll")).nextInt(POLL_MAX));
    }
  }

  private void serveRequests() {
    Map<Integer, Seat> now = Map.copyOf(seats);
    if (now.isEmpty()) {
      return;
    }
    stores
        .ledger()
        .openRequests(new TreeSet<>(seats.keySet()), 0, REQUESTS_MAX)
        .onSuccess(open -> open.forEach(request -> now.get(request.partition()).serve(request)));
  }

  @Override
  public void assigned(Set<Integer> partitions) {
    for (int partition : partitions) {
      Seat seat = new Seat(partition);
      seats.put(partition, seat);
      seat.takeOver();
    }
  }

  @Override
  public Future<Void> revoked(Set<Integer> partitions) {
    for (int partition : partitions) {
      Seat seat = seats.remove(partition);
      if (seat != null) {
        seat.leave();
      }
    }
    // The next owner is named at once: the fence alone must keep the promises.
    return Future.succeededFuture();
  }

  @Override
  public void polled(LogBatch batch) {
    Seat seat = seats.get(batch.partition());
    if (seat != null && seat.owner != null) {
      seat.owner.polled(batch);
    }
  }

  @Override
  public void failed(int partition, Throwable cause) {
    world.breach("the log can be read where the ledger says", cause.toString());
  }

  /** The life cycle of one owner, as its verticle manages it. */
  private final class Seat implements PartitionOwner.Host {
    private final int partition;
    private PartitionOwner owner;
    private boolean left;

    Seat(int partition) {
      this.partition = partition;
    }

    private PartitionOwner ownerOf(Fence fence) {
      Ownership ownership = new Ownership(fence, known, this::lost);
      world.restored().owned(ownership);
      OwnerContext context =
          OwnerContext.of(
              ownership,
              stores.ledger(),
              stores.stock(),
              stores.log(),
              stores.events(),
              timers,
              TestMeters.ofOwner(),
              Traces.OFF);
      return new PartitionOwner(context, world.ownerConfig(), Config.defaults().sale(), this);
    }

    void takeOver() {
      stores
          .ledger()
          .takeOver(partition, known.termSeen(partition))
          .onSuccess(
              fence -> {
                if (!left) {
                  owner = ownerOf(fence);
                  consumer.startAt(partition, fence.nextOffset());
                }
              })
          .onFailure(
              unknown -> {
                if (!left) {
                  timers.after(RETRY).onSuccess(now -> takeOver());
                }
              });
    }

    void serve(OwnerRequest request) {
      if (owner != null && !left) {
        owner.serve(request);
      }
    }

    Future<Void> leave() {
      left = true;
      return owner == null
          ? Future.succeededFuture()
          : Future.any(owner.stop(), timers.after(STOP_MAX)).mapEmpty();
    }

    @Override
    public BookingRounds rounds() {
      return rounds;
    }

    @Override
    public Future<Void> eventsGathered() {
      return timers.after(EVENTS_GATHER);
    }

    @Override
    public boolean isStampede() {
      return false;
    }

    @Override
    public void pause() {
      consumer.pause(Set.of(partition));
    }

    @Override
    public void resume() {
      consumer.resume(Set.of(partition));
    }

    /** Whatever happens to Redis: one that was replaced has stopped before. */
    @Override
    public void strayed(int grants) {
      world.breach("only the Redis of now grants", grants + " of another one were dropped");
    }

    @Override
    public Stock stocks() {
      return any -> stores.stock();
    }

    @Override
    public void committed(Fence fence, Collection<Order> orders) {
      world.instances().committed(node, fence, orders);
    }

    /** The timer of the outbox finds them. */
    @Override
    public void moved(Set<Integer> partitions) {}

    @Override
    public void logCut(Throwable cause) {
      throw new AssertionError("a log that loses no records was found truncated", cause);
    }

    /** Starts a new owner if the group still assigns the partition to this instance. */
    private void lost() {
      world.say(() -> node + " has lost the fence");
      world.sights().saw("an owner steps down");
      if (seats.get(partition) != this) {
        return;
      }
      seats.remove(partition);
      leave()
          .transform(gone -> consumer.assignedAfterNextPoll())
          .onSuccess(
              still -> {
                if (still.contains(partition) && !seats.containsKey(partition)) {
                  assigned(Set.of(partition));
                }
              });
    }
  }
}
