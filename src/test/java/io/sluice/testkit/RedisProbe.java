package io.sluice.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Asks a Redis for its version; it answers only when it has loaded its data. */
record RedisProbe(URI uri) implements Probe {
  private static final int TIMEOUT_MS = 1_000;
  private static final int DEFAULT_PORT = 6379;

  @Override
  public String ask() throws IOException {
    try (Socket socket = new Socket()) {
      int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
      socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      OutputStream out = socket.getOutputStream();
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      if (uri.getUserInfo() != null) {
        send(out, "AUTH " + uri.getUserInfo().replaceFirst("^:", "").replace(':', ' '));
        expect(in.readLine(), "+OK");
      }
      send(out, "PING");
      expect(in.readLine(), "+PONG");
      send(out, "INFO server");
      return product(in);
    }
  }

  private static String product(BufferedReader in) throws IOException {
    String redis = "Redis";
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("-")) {
        throw new IOException("INFO was answered with " + line);
      } else if (line.startsWith("valkey_version:")) {
        return "Valkey " + line.substring(line.indexOf(':') + 1);
      } else if (line.startsWith("redis_version:")) {
        redis = "Redis " + line.substring(line.indexOf(':') + 1);
      } else if (line.startsWith("run_id:")) {
        return redis;
      }
    }
    throw new IOException("the answer to INFO ended early");
  }

  private static void send(OutputStream out, String command) throws IOException {
    out.write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void expect(String answer, String expected) throws IOException {
    if (!expected.equals(answer)) {
      throw new IOException("expected " + expected + ", but was " + answer);
    }
  }
}
