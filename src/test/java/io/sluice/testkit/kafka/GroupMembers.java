package io.sluice.testkit.kafka;

import io.sluice.testkit.server.BackendException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.ConsumerGroupState;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** The members of a site's consumer group, as the broker knows them. */
public final class GroupMembers implements AutoCloseable {
  private static final int LIMIT_S = 10;

  private final Admin admin;
  private final String group;

  public GroupMembers(String bootstrapServers, String group) {
    this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    this.group = group;
  }

  /**
   * Removes all members from the group, as the end of their sessions does, but at once. Live
   * members rejoin. A group without members may be unknown to the broker.
   */
  public void evict() {
    var all = new RemoveMembersFromConsumerGroupOptions();
    try {
      admin.removeMembersFromConsumerGroup(group, all).all().get(LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException refused) {
      if (!isEmpty(refused)) {
        throw new BackendException("the members of " + group + " were not evicted", refused);
      }
    } catch (TimeoutException refused) {
      throw new BackendException("the members of " + group + " were not evicted", refused);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted", interrupted);
    }
  }

  private static boolean isEmpty(Throwable refused) {
    for (Throwable why = refused; why != null; why = why.getCause()) {
      if (why instanceof GroupIdNotFoundException
          || String.valueOf(why.getMessage()).contains("members should not be empty")) {
        return true;
      }
    }
    return false;
  }

  /** The number of members with partitions; 0 while a rebalance is in progress. */
  public long owners() {
    return owning().size();
  }

  /** The ids of the members with partitions; none while a rebalance is in progress. */
  public Set<String> owning() {
    try {
      ConsumerGroupDescription now =
          admin
              .describeConsumerGroups(List.of(group))
              .describedGroups()
              .get(group)
              .get(LIMIT_S, TimeUnit.SECONDS);
      return now.state() == ConsumerGroupState.STABLE
          ? now.members().stream()
              .filter(member -> !member.assignment().topicPartitions().isEmpty())
              .map(MemberDescription::consumerId)
              .collect(Collectors.toSet())
          : Set.of();
    } catch (ExecutionException | TimeoutException unknown) {
      return Set.of();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted", interrupted);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
