/**
 * Posting failed in a way that leaves open whether the driver got the message: the gateway broke off, or answered
 * with a fault of its own. Anything else that a post throws means that the driver did not get it.
 */
export class DeliveryUncertain extends Error {
  /** The socket was gone when it was tried again. */
  readonly isSocketGone: boolean;

  constructor(isSocketGone: boolean, options: ErrorOptions) {
    super("the message may or may not have reached the driver", options);
    this.name = "DeliveryUncertain";
    this.isSocketGone = isSocketGone;
  }
}
