package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A node of a cluster that says whatever a test wants it to say of the cluster. */
final class FakeNode implements AutoCloseable {
  private static final String LINE_END = "\r\n";

  private final NetServer server;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile String info = "";
  private volatile String slots = "";
  private volatile boolean hangs;

  FakeNode(Vertx vertx) {
    server = vertx.createNetServer().connectHandler(this::serve);
    await(server.listen(0, "127.0.0.1"));
  }

  RedisAddress address() {
    return new RedisAddress("127.0.0.1", server.actualPort());
  }

  String uri() {
    return "redis://" + address();
  }

  /** All slots are at this address, as it believes since this epoch. */
  FakeNode says(String state, long epoch, RedisAddress primary) {
    String host = primary.host();
    return says(
        "cluster_state:%s\r\ncluster_current_epoch:%d\r\n".formatted(state, epoch),
        "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$%d\r\n%s\r\n:%d\r\n$2\r\nid\r\n"
            .formatted(host.length(), host, primary.port()));
  }

  /**
   * @param reply to CLUSTER SLOTS, as it is sent
   */
  FakeNode says(String newInfo, String reply) {
    info = "$%d\r\n%s\r\n".formatted(newInfo.length(), newInfo);
    slots = reply;
    hangs = false;
    return this;
  }

  /** From now on it answers nothing. */
  FakeNode hangs() {
    hangs = true;
    return this;
  }

  /** How often its map was read. */
  int asked() {
    return asked.get();
  }

  private void serve(NetSocket socket) {
    List<String> command = new ArrayList<>();
    int[] expected = {0};
    socket.handler(
        RecordParser.newDelimited(
            LINE_END,
            record -> {
              String line = record.toString();
              if (line.startsWith("*")) {
                expected[0] = Integer.parseInt(line.substring(1));
                command.clear();
              } else if (!line.startsWith("$")) {
                command.add(line);
              }
              if (command.size() == expected[0] && !hangs) {
                socket.write(answer(String.join(" ", command)));
                command.clear();
              }
            }));
  }

  private String answer(String command) {
    if (command.equalsIgnoreCase("CLUSTER INFO")) {
      return info;
    }
    if (command.equalsIgnoreCase("CLUSTER SLOTS")) {
      asked.incrementAndGet();
      return slots;
    }
    return command.startsWith("HELLO") ? "%1\r\n+server\r\n+redis\r\n" : "+PONG\r\n";
  }

  @Override
  public void close() {
    await(server.close());
  }
}
