/**
 * Posting failed in a way that leaves open whether the driver received the message: the gateway closed the connection,
 * or responded with a fault of its own. Any other error of a post means that the driver did not receive it.
 */
export class DeliveryUncertain extends Error {
  /** The socket was gone when the post was retried. */
  readonly isSocketGone: boolean;

  constructor(isSocketGone: boolean, options: ErrorOptions) {
    super("the message may or may not have reached the driver", options);
    this.name = "DeliveryUncertain";
    this.isSocketGone = isSocketGone;
  }
}
