package io.sluice.sale.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A request whose end arrives slowly, or never.
 *
 * @param first sent at once
 * @param rest sent a few bytes at a time
 * @param due the statuses of its answers in order, as a regular expression
 */
record SlowRequest(
    int port, byte[] first, byte[] rest, int bytesAtATime, Duration every, String due) {
  private static final String HOST = "127.0.0.1";
  private static final int BUFFER_BYTES = 8_192;

  /** What came of it, and when its connection was closed. */
  record Outcome(String received, boolean closed, Duration took) {}

  /** Sends it, until the server closes the connection or the time is over. Blocks. */
  Outcome send(Duration limit) throws IOException {
    long begunNs = System.nanoTime();
    StringBuilder received = new StringBuilder();
    try (Socket socket = new Socket(HOST, port)) {
      socket.setTcpNoDelay(true);
      // How long a read waits is how long it is until the next bytes.
      socket.setSoTimeout(Math.toIntExact(every.toMillis()));
      OutputStream out = socket.getOutputStream();
      write(out, first, 0, first.length);
      int sent = 0;
      boolean closed = false;
      while (!closed && since(begunNs).compareTo(limit) < 0) {
        try {
          closed = isClosed(socket.getInputStream(), received);
        } catch (SocketTimeoutException quiet) {
          sent = write(out, rest, sent, Math.min(bytesAtATime, rest.length - sent));
        }
      }
      return new Outcome(received.toString(), closed, since(begunNs));
    }
  }

  private static boolean isClosed(InputStream in, StringBuilder received)
      throws SocketTimeoutException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      int length = in.read(buffer);
      received.append(new String(buffer, 0, Math.max(0, length), ISO_8859_1));
      return length < 0;
    } catch (SocketTimeoutException quiet) {
      throw quiet;
    } catch (IOException reset) {
      return true;
    }
  }

  /** A closed connection is noticed by the next read, behind what was received before. */
  private static int write(OutputStream out, byte[] bytes, int from, int length) {
    try {
      out.write(bytes, from, length);
    } catch (IOException closed) {
      return from;
    }
    return from + length;
  }

  private static Duration since(long begunNs) {
    return Duration.ofNanos(System.nanoTime() - begunNs);
  }

  @Override
  public String toString() {
    return new String(first, ISO_8859_1) + "... " + new String(rest, ISO_8859_1);
  }
}
