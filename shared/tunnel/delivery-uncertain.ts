/** After this failure the driver may have received the message; other errors mean that it did not. */
export class DeliveryUncertain extends Error {
  /** The socket was gone when the post was retried. */
  readonly isSocketGone: boolean;

  constructor(isSocketGone: boolean, options: ErrorOptions) {
    super("the message may or may not have reached the driver", options);
    this.name = "DeliveryUncertain";
    this.isSocketGone = isSocketGone;
  }
}
