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
 * Where the management port of the instance that runs is, as {@code HOST PORT}, for a health check
 * beside it: the port may come from a file, from the environment, or be any free one.
 */
final class AddressFile {
  private static final Logger log = LoggerFactory.getLogger(AddressFile.class);
  private static final String LOOPBACK = "127.0.0.1";

  private AddressFile() {}

  /** Replaces what an earlier run has left. The service goes on without; a warning says why. */
  static void write(Path file, String host, int port) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(unfinished, reachable(host) + " " + port + "\n");
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      log.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("cause", failure)
          .log("the address file cannot be written, so health checks that read it will fail");
    }
  }

  /** Nobody can connect to the address that stands for all. */
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
