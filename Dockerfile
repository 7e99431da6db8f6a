# The image of the service; target/sluice.jar and target/training come from `mvn -Pimage`. A tag can be moved to other
# content, a digest cannot, so the base is named by its digest, for all architectures: JRE 25 on Ubuntu 24.04. Another
# one, of Java 25 or newer, or its newest:
#   docker buildx imagetools inspect eclipse-temurin:25-jre-noble --format '{{.Manifest.Digest}}'
#   docker build --build-arg BASE=eclipse-temurin:25-jre-noble@sha256:... .
ARG BASE=eclipse-temurin:25-jre-noble@sha256:b573af9e331196fbc42e246da4df24df9b6c556c73e7efddfde0511f1c9508c5

# The demo runs its sale by this very JVM, which writes what it has learned: which classes to load, which methods to compile.
# Only the same jar at the same path can use it, with the same object headers. Without target/training there is no such
# file, and none on processors for which the demo's database has no build: the service then starts cold.
FROM ${BASE} AS trained
WORKDIR /training
COPY target/sluice.jar /opt/sluice/
COPY conf/sluice.yaml target/trainin[g] ./
RUN if [ -d lib ] && [ "$(uname -m)" = x86_64 ]; then java -Dstay=false \
      -Dservice="java -XX:AOTCacheOutput=/opt/sluice/sluice.aot -XX:+UseCompactObjectHeaders -jar /opt/sluice/sluice.jar" \
      -cp 'classes:lib/*' io.sluice.demo.Demo && [ -s /opt/sluice/sluice.aot ]; \
    else echo 'No target/training (mvn -Pimage makes it), or not x86-64: this image starts cold'; fi

FROM ${BASE}

RUN useradd --system --no-create-home --uid 10001 sluice
COPY --from=trained /opt/sluice /opt/sluice
# The defaults; mount your own file over it, or set SLUICE_... variables.
COPY conf/sluice.yaml /etc/sluice/sluice.yaml

USER 10001
# 8080 is for buyers. 8081 is the management port: it listens on the loopback address unless admin.host says otherwise.
EXPOSE 8080 8081

# What a container of 512 MB holds at its worst: half of it heap, the buffers of Netty, compiled code, and some 150 MB
# that have no bound of their own. Your own JDK_JAVA_OPTIONS take the place of these.
ENV JDK_JAVA_OPTIONS="-XX:MaxRAMPercentage=50 -XX:MaxDirectMemorySize=64m -XX:ReservedCodeCacheSize=64m -XX:+ExitOnOutOfMemoryError" \
    MALLOC_ARENA_MAX=2

# The service says where its management port is, whether that came from the file, from a variable or is any free one.
# /dev/shm can be written also where the rest is read-only. The base image has neither curl nor wget in every release;
# bash speaks enough HTTP for this. It speaks no TLS: where admin.tls is set, the check is that the port takes a connection.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "read -r host port scheme < /dev/shm/sluice-admin && exec 3<>/dev/tcp/$host/$port && { [ -n \"$scheme\" ] || { printf 'GET /livez HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '; }; }"]

ENTRYPOINT ["java", "-XX:AOTCache=/opt/sluice/sluice.aot", "-XX:+UseCompactObjectHeaders", "-jar", "/opt/sluice/sluice.jar", "--address-file", "/dev/shm/sluice-admin", "--config", "/etc/sluice/sluice.yaml"]
