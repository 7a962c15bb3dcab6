export type Delivery =
  | { readonly kind: "delivered" }
  | { readonly kind: "gone" }
  | { readonly kind: "too_large"; readonly bytes: number };

/** The gateway's side of the drivers' sockets. Throws on unexpected errors, after retries at 100 and 200 ms. */
export interface SocketGateway {
  /** Posts one text message of at most 32,000 bytes. */
  post(websocketId: string, message: string): Promise<Delivery>;
  /** The gateway ends a socket whose peer is silent for 10 minutes. */
  exists(websocketId: string): Promise<boolean>;
  /** Closes the socket, and ignores a closed one. */
  disconnect(websocketId: string): Promise<void>;
}
