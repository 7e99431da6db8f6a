package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.netty.bootstrap.ServerBootstrap;
import io.sluice.testkit.process.LogWatch;
import io.sluice.web.HttpProbe;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A port can stop accepting connections while the open ones are still served. */
class ListeningTransportTest {
  private static final int ROUNDS = 15;
  private static final int CALLERS = 6;
  private static final int ANY_FREE_SHARED = -1;

  private final ListeningTransport transport = ListeningTransport.ofThisMachine();
  private final Vertx vertx = Vertx.builder().withTransport(transport.forVertx()).build();

  @AfterEach
  void close() {
    HttpProbe.await(vertx.close());
  }

  @Test
  void shouldServeWhoIsConnectedWhenNobodyNewIsLetIn() throws IOException {
    // given
    int port = serveOnTwoLoops().get(0).actualPort();
    int other = HttpProbe.await(server(0)).actualPort();
    try (Socket kept = new Socket("127.0.0.1", port)) {
      String before = statusOn(kept);

      // when
      HttpProbe.await(transport.stopListening(port));

      // then
      assertThat(catchThrowable(() -> new Socket("127.0.0.1", port).close()))
          .isInstanceOf(ConnectException.class);
      assertThat(List.of(before, statusOn(kept))).containsOnly("HTTP/1.1 200 OK");
    }
    try (Socket elsewhere = new Socket("127.0.0.1", other)) {
      assertThat(statusOn(elsewhere)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void shouldDropNoConnectionWhenServersCloseAfterTheirSocket() {
    try (LogWatch log = LogWatch.of(ServerBootstrap.class)) {
      for (int round = 0; round < ROUNDS; round++) {
        // given
        List<HttpServer> servers = serveOnTwoLoops();
        int port = servers.get(0).actualPort();
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean begun = new AtomicBoolean();
        List<Thread> callers =
            IntStream.range(0, CALLERS).mapToObj(i -> caller(port, begun, over)).toList();
        HttpProbe.eventually(begun::get);

        // when
        HttpProbe.await(
            transport
                .stopListening(port)
                .compose(stopped -> Future.join(servers.stream().map(HttpServer::close).toList())));
        over.set(true);
        callers.forEach(ListeningTransportTest::ended);
      }

      // then
      assertThat(log.lines()).isEmpty();
    }
  }

  private List<HttpServer> serveOnTwoLoops() {
    List<HttpServer> servers = new CopyOnWriteArrayList<>();
    Stream.of(1, 2)
        .forEach(
            loop ->
                HttpProbe.await(
                    vertx.deployVerticle(
                        new VerticleBase() {
                          @Override
                          public Future<?> start() {
                            return server(ANY_FREE_SHARED).onSuccess(servers::add);
                          }
                        })));
    return servers;
  }

  private Future<HttpServer> server(int port) {
    return vertx
        .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
        .requestHandler(request -> request.response().end())
        .listen();
  }

  /** Opens connections and resets each at once. */
  private static Thread caller(int port, AtomicBoolean begun, AtomicBoolean over) {
    Thread caller =
        new Thread(
            () -> {
              while (!over.get()) {
                try (Socket socket = new Socket("127.0.0.1", port)) {
                  socket.setSoLinger(true, 0);
                  begun.set(true);
                } catch (IOException refused) {
                  Thread.onSpinWait();
                }
              }
            });
    caller.start();
    return caller;
  }

  private static void ended(Thread caller) {
    try {
      caller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String statusOn(Socket connection) throws IOException {
    connection
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    BufferedReader answer =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
    String status = answer.readLine();
    HttpProbe.eventually(() -> isEmptyLine(answer));
    return status;
  }

  private static boolean isEmptyLine(BufferedReader answer) {
    try {
      return "".equals(answer.readLine());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
