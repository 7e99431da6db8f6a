package io.sluice.testkit.mysql;

import io.sluice.testkit.server.Probe;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the greeting that a MySQL or MariaDB sends once it serves. */
public record MysqlProbe(URI uri) implements Probe {
  private static final int TIMEOUT_MS = 1_000;
  private static final int DEFAULT_PORT = 3306;
  private static final int PACKET_HEADER_BYTES = 4;
  private static final int PROTOCOL = 10;
  private static final int VERSION_BYTES_MAX = 200;

  /** MariaDB before 11 sent an old version first, for the sake of old replicas. */
  private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?([0-9.]+)(.*)");

  @Override
  public String ask() throws IOException {
    try (Socket socket = new Socket()) {
      int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
      socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.skipNBytes(PACKET_HEADER_BYTES);
      int protocol = in.readUnsignedByte();
      if (protocol != PROTOCOL) {
        throw new IOException("expected protocol " + PROTOCOL + ", but was " + protocol);
      }
      return product(readVersion(in));
    }
  }

  static String product(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return "MySQL " + version;
    }
    return (matcher.group(2).contains("MariaDB") ? "MariaDB " : "MySQL ") + matcher.group(1);
  }

  private static String readVersion(DataInputStream in) throws IOException {
    byte[] version = new byte[VERSION_BYTES_MAX];
    int length = 0;
    for (byte b = in.readByte(); b != 0 && length < VERSION_BYTES_MAX; b = in.readByte()) {
      version[length++] = b;
    }
    return new String(version, 0, length, StandardCharsets.UTF_8);
  }
}
