package io.sluice;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the management port's address as {@code HOST PORT}, followed by {@code https} if it
 * speaks TLS. It is for a health check on the same machine: the port may be set in the file, in the
 * environment, or be any free one.
 */
final class AddressFile {
  private static final Logger log = LoggerFactory.getLogger(AddressFile.class);
  private static final String LOOPBACK = "127.0.0.1";

  private AddressFile() {}

  /** Replaces the file of an earlier run. A failure is only logged; the service continues. */
  static void write(Path file, String host, int port, boolean tls) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(unfinished, reachable(host) + " " + port + (tls ? " https\n" : "\n"));
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      log.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("cause", failure)
          .log("address file cannot be written; health checks that read it will fail");
    }
  }

  /** The wildcard address cannot be connected to, so it is replaced by the loopback address. */
  private static String reachable(String host) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    try {
      return address != null && InetAddress.getByAddress(address).isAnyLocalAddress()
          ? LOOPBACK
          : host;
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
