package io.sluice.db;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.MysqlConfig;
import io.sluice.config.ServerUri;
import io.sluice.monitor.Alarm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.SslMode;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.Connection;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the connection pools, and sets up each connection before its first use. */
final class ConnectionFactory {
  private static final Logger log = LoggerFactory.getLogger(ConnectionFactory.class);

  /**
   * After a host has vanished, the server ends its open transaction after this time, which releases
   * its lock on a fence.
   */
  private static final int WAIT_TIMEOUT_S = 10;

  /**
   * Below {@link #WAIT_TIMEOUT_S}, so that the pool never returns a connection that the server has
   * closed.
   */
  private static final int IDLE_MAX_MS = 4_000;

  private static final int LOCK_WAIT_MAX_S = 5;
  private static final int WAITERS_PER_CONNECTION = 64;
  private static final int STATEMENTS_CACHED = 256;
  private static final int CACHED_SQL_LENGTH_MAX = 1 << 20;
  private static final int DEFAULT_PORT = 3306;
  private static final String MARIADB = "MariaDB";

  /** What a connection is known by at the server. */
  private static final AttributeKey<String> CONNECTION_NAME =
      AttributeKey.valueOf(ConnectionFactory.class, "name");

  private ConnectionFactory() {}

  static Pool pool(Vertx vertx, MysqlConfig config, String use) {
    PoolOptions options =
        new PoolOptions()
            .setName("sluice-ledger-" + use)
            .setMaxSize(config.poolSize())
            .setMaxWaitQueueSize(config.poolSize() * WAITERS_PER_CONNECTION)
            // Disabled: Vert.x 5.0 sometimes fires it after the connection was returned, and logs
            // an unhandled exception. Database limits the time of the whole call anyway.
            .setConnectionTimeout(0)
            .setIdleTimeout(Math.min(IDLE_MAX_MS, Math.max(1, config.timeoutMs() / 2)))
            .setIdleTimeoutUnit(MILLISECONDS);
    return MySQLBuilder.pool()
        .with(options)
        .with(transport(config))
        .connectingTo(options(config))
        .withConnectHandler(connection -> prepare(connection, config))
        .using(vertx)
        .build();
  }

  static MySQLConnectOptions options(MysqlConfig config) {
    ServerUri server = config.server();
    MySQLConnectOptions options = new MySQLConnectOptions();
    options
        .setHost(server.host())
        .setPort(server.portOr(DEFAULT_PORT))
        .setUser(server.user())
        .setPassword(server.password())
        .setDatabase(server.path())
        .setCachePreparedStatements(true)
        .setPreparedStatementCacheMaxSize(STATEMENTS_CACHED)
        .setPreparedStatementCacheSqlLimit(CACHED_SQL_LENGTH_MAX);
    return withTls(options, config);
  }

  /** Never PREFERRED: it falls back to plain text on any error. */
  private static MySQLConnectOptions withTls(MySQLConnectOptions options, MysqlConfig config) {
    if (!config.isTls()) {
      return options.setSslMode(SslMode.DISABLED);
    }
    ClientSSLOptions tls = new ClientSSLOptions();
    if (!config.isVerified()) {
      return options
          .setSslMode(SslMode.REQUIRED)
          .setSslOptions(tls.setTrustAll(true).setHostnameVerificationAlgorithm(""));
    }
    if (!config.caFile().isEmpty()) {
      tls.setTrustOptions(new PemTrustOptions().addCertPath(config.caFile()));
    }
    return options
        .setSslMode(SslMode.VERIFY_IDENTITY)
        .setSslOptions(tls.setHostnameVerificationAlgorithm("HTTPS"));
  }

  /**
   * A server that hangs is detected by the time limit of the call, and before and between calls by
   * the idle time-out of the socket.
   */
  private static NetClientOptions transport(MysqlConfig config) {
    return new NetClientOptions()
        .setConnectTimeout(config.timeoutMs())
        .setTcpKeepAlive(true)
        .setReadIdleTimeout(config.timeoutMs())
        .setIdleTimeoutUnit(MILLISECONDS);
  }

  private static void prepare(SqlConnection connection, MysqlConfig config) {
    connection.exceptionHandler(broken -> {});
    setSession(connection, config.timeoutMs())
        .onSuccess(done -> connection.close())
        .onFailure(failure -> discard(connection, failure));
  }

  /**
   * Sets everything that transactions rely on; the first use of each connection.
   *
   * @param statementMs the time limit of a statement, in milliseconds
   */
  static Future<Void> setSession(SqlConnection connection, int statementMs) {
    // At most half of the call's time, so that a lock wait leaves time for a second attempt.
    int lockWaitS = Math.max(1, Math.min(LOCK_WAIT_MAX_S, statementMs / 2_000));
    FileRequestGuard.install(connection);
    handlerOf(connection).channel().attr(CONNECTION_NAME).set("sluice." + UUID.randomUUID());
    return connection
        .query(SqlStatement.SET_ISOLATION.text(0))
        .execute()
        .compose(
            done ->
                connection
                    .preparedQuery(SqlStatement.SET_SESSION.text(0))
                    .execute(Tuple.of(WAIT_TIMEOUT_S, lockWaitS)))
        .compose(done -> limitStatements(connection, statementMs))
        .compose(
            done ->
                connection
                    .preparedQuery(SqlStatement.NAME_SESSION.text(0))
                    .execute(Tuple.of(nameOf(connection))))
        .mapEmpty();
  }

  private static ChannelHandlerContext handlerOf(SqlConnection connection) {
    Connection inner = ((SqlConnectionInternal) connection).unwrap();
    while (!(inner instanceof SocketConnectionBase)) {
      inner = inner.unwrap();
    }
    return ((SocketConnectionBase) inner).socket().channelHandlerContext();
  }

  /** Whether neither side is known to have closed it. */
  static boolean isOpen(SqlConnection connection) {
    return handlerOf(connection).channel().isActive();
  }

  /**
   * Closes the socket at once, so that a pool does not keep the connection; completes when that is
   * done.
   */
  static Future<Void> close(SqlConnection connection) {
    Channel channel = handlerOf(connection).channel();
    // Before all handlers: those of Vert.x and of TLS would wait until all has been written.
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first != null) {
      first.close();
    }
    Promise<Void> done = Promise.promise();
    channel.closeFuture().addListener(closed -> done.complete());
    return done.future();
  }

  /** The parameter of {@link SqlStatement#KILL}. */
  static String nameOf(SqlConnection connection) {
    return handlerOf(connection).channel().attr(CONNECTION_NAME).get();
  }

  private static Future<?> limitStatements(SqlConnection connection, int statementMs) {
    boolean isMariaDb = MARIADB.equals(connection.databaseMetadata().productName());
    return isMariaDb
        ? connection
            .preparedQuery(SqlStatement.LIMIT_STATEMENTS_MARIADB.text(0))
            .execute(Tuple.of(statementMs / 1_000.0))
        : connection
            .preparedQuery(SqlStatement.LIMIT_READS_MYSQL.text(0))
            .execute(Tuple.of(statementMs));
  }

  /**
   * A connection without its settings must not enter the pool, and {@code connection.close()} would
   * put it there. So its socket is closed.
   */
  private static void discard(SqlConnection connection, Throwable failure) {
    log.atWarn()
        .setCause(failure)
        .log("new database connection could not be set up; it is discarded");
    close(connection);
  }

  /**
   * Closes a connection on which the server asks for a file. In this protocol it may answer any
   * text query so (LOCAL INFILE), and the client sends whatever file it names; there is no option
   * against it. We load no files.
   *
   * <p>Such a request is a packet whose first byte is 0xFB. Of all other answers only a row of a
   * text query whose first column is NULL begins so. None of our text queries has one: they write,
   * or read keys. All else is read by prepared statements, whose rows begin with 0.
   */
  static final class FileRequestGuard extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(FileRequestGuard.class);

    private static final String NAME = "fileRequestGuard";

    /** The client's own handler, behind which each message is a packet with its header. */
    private static final String PACKETS = "packetDecoder";

    private static final int HEADER_BYTES = 4;
    private static final int FILE_REQUEST = 0xFB;

    private FileRequestGuard() {}

    /** Guards a connection; to be called on its event loop, before its first query. */
    static void install(SqlConnection connection) {
      handlerOf(connection).pipeline().addAfter(PACKETS, NAME, new FileRequestGuard());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!(message instanceof ByteBuf packet) || !isFileRequest(packet)) {
        context.fireChannelRead(message);
        return;
      }
      ReferenceCountUtil.release(message);
      Alarm.FILE_ASKED.raise(
          log.atError().addKeyValue("server", context.channel().remoteAddress()));
      context.close();
    }

    private static boolean isFileRequest(ByteBuf packet) {
      return packet.readableBytes() > HEADER_BYTES
          && packet.getUnsignedByte(packet.readerIndex() + HEADER_BYTES) == FILE_REQUEST;
    }
  }
}
