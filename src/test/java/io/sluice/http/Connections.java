package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Plain connections to ports, which are closed after each test. */
final class Connections implements AfterEachCallback {
  private static final int PATIENCE_MS = 10_000;

  final List<Socket> opened = new ArrayList<>();

  /** One that says nothing yet. */
  Socket open(PublicPortFixture fixture) throws IOException {
    return keep(new Socket("127.0.0.1", fixture.port.port()));
  }

  Socket keep(Socket socket) throws IOException {
    opened.add(socket);
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  void closeAll() throws IOException {
    for (Socket one : opened) {
      one.close();
    }
  }

  @Override
  public void afterEach(ExtensionContext test) throws IOException {
    closeAll();
    opened.clear();
  }

  /** The beginning of the answer. */
  static String ask(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    byte[] bytes = new byte[4_096];
    int length = socket.getInputStream().read(bytes);
    return new String(bytes, 0, Math.max(0, length), ISO_8859_1);
  }

  static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    eventually(() -> System.nanoTime() > end);
  }
}
