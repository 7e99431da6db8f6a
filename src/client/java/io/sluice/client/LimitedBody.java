package io.sluice.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** The body of an answer, which fails if it has more than {@link #BYTES_MAX}. */
final class LimitedBody implements BodySubscriber<byte[]> {
  /** A page of 500 events of orders with 20 lines has less than 2 MB. */
  static final int BYTES_MAX = 8 * 1024 * 1024;

  private final BodySubscriber<byte[]> body = BodySubscribers.ofByteArray();
  private @Nullable Subscription subscription;
  private long bytes;

  @Override
  public CompletionStage<byte[]> getBody() {
    return body.getBody();
  }

  @Override
  public void onSubscribe(Subscription itsSubscription) {
    subscription = itsSubscription;
    body.onSubscribe(itsSubscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    bytes += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
    if (bytes <= BYTES_MAX) {
      body.onNext(buffers);
    } else if (subscription != null) {
      subscription.cancel();
      body.onError(new IOException("the answer has more than " + BYTES_MAX + " bytes"));
    }
  }

  @Override
  public void onError(Throwable e) {
    body.onError(e);
  }

  @Override
  public void onComplete() {
    body.onComplete();
  }
}
