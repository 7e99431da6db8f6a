package io.sluice.orderlog.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What Vert.x calls instead of Kafka's consumer, on the poll thread. Each poll first carries out
 * the plan made for it, so that seeking, pausing and polling are one step; a subscription gets our
 * rebalance listener, since Vert.x' own hands over to the event loop and lets the poll go on.
 */
final class PlannedConsumer<K, V> implements InvocationHandler {
  /** Leaving the group takes one request; a broker that is away must not hold up the end. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final Consumer<K, V> consumer;
  private final String topic;
  private final Supplier<PollPlan> plan;
  private final ConsumerRebalanceListener rebalances;

  private PlannedConsumer(
      Consumer<K, V> consumer,
      String topic,
      Supplier<PollPlan> plan,
      ConsumerRebalanceListener rebalances) {
    this.consumer = consumer;
    this.topic = topic;
    this.plan = plan;
    this.rebalances = rebalances;
  }

  @SuppressWarnings("unchecked")
  static <K, V> Consumer<K, V> around(
      Consumer<K, V> consumer,
      String topic,
      Supplier<PollPlan> plan,
      ConsumerRebalanceListener rebalances) {
    return (Consumer<K, V>)
        Proxy.newProxyInstance(
            PlannedConsumer.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            new PlannedConsumer<>(consumer, topic, plan, rebalances));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    switch (method.getName()) {
      case "subscribe" -> {
        consumer.subscribe(Set.of(topic), rebalances);
        return null;
      }
      case "close" -> {
        consumer.close(CLOSE_TIMEOUT);
        return null;
      }
      case "poll" -> carryOut(plan.get());
      default -> {}
    }
    try {
      return method.invoke(consumer, args);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() == null ? thrown : thrown.getCause();
    }
  }

  private void carryOut(PollPlan due) {
    Collection<TopicPartition> running = new HashSet<>();
    Collection<TopicPartition> paused = new HashSet<>();
    for (TopicPartition assigned : consumer.assignment()) {
      Long offset = due.seeks().get(assigned.partition());
      if (offset != null) {
        consumer.seek(assigned, offset);
      }
      (due.running().contains(assigned.partition()) ? running : paused).add(assigned);
    }
    consumer.resume(running);
    consumer.pause(paused);
  }
}
