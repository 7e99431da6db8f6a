package io.sluice.stock.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The view of one node on its cluster.
 *
 * @param serves whether this node finds that the cluster serves: one that is cut off from most of
 *     the others does not
 * @param epoch the highest that it knows; it rises with each fail-over and each slot that moves
 */
record ClusterView(ClusterMap map, boolean serves, long epoch) {
  private static final Pattern EPOCH = Pattern.compile("cluster_current_epoch:(\\d{1,18})");
  private static final String SERVES = "cluster_state:ok";
  private static final String NO_CLUSTER = "cluster support disabled";

  /** The last in this order knows best. */
  static final Comparator<ClusterView> BY_NEWS =
      Comparator.comparing(ClusterView::serves)
          .thenComparingLong(ClusterView::epoch)
          .thenComparing(view -> view.map().holes(), Comparator.reverseOrder());

  /** Asks a node; fails if it is none, or answers what makes no sense. */
  static Future<ClusterView> ask(RedisConnection connection, RedisAddress asked) {
    Future<Response> info = connection.send(Request.cmd(Command.CLUSTER, "INFO"));
    Future<Response> slots = connection.send(Request.cmd(Command.CLUSTER, "SLOTS"));
    return Future.all(info, slots)
        .map(both -> parse(info.result().toString(), slots.result(), asked))
        .recover(cause -> Future.failedFuture(explained(cause)));
  }

  private static ClusterView parse(String info, Response slots, RedisAddress asked) {
    Matcher epoch = EPOCH.matcher(info);
    if (!epoch.find()) {
      throw new IllegalArgumentException("Expected cluster_current_epoch, but it is not there");
    }
    return new ClusterView(
        ClusterMap.parse(slots, asked), info.contains(SERVES), Long.parseLong(epoch.group(1)));
  }

  private static Throwable explained(Throwable cause) {
    return RedisFailures.isErrorReply(cause, NO_CLUSTER)
        ? new UnfitRedisException(RedisSettings.NOT_A_NODE)
        : cause;
  }
}
