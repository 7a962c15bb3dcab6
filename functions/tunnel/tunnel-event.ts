/**
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-mapping-template-reference.html
 */
export interface TunnelEvent {
  /** Present for `$connect` and, without the driver's own headers, `$disconnect`; names are in any case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  /** Only `$connect` has them. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly body?: string | null;
  readonly requestContext: {
    readonly eventType: "CONNECT" | "MESSAGE" | "DISCONNECT";
    readonly connectionId: string;
    readonly apiId: string;
    readonly stage: string;
    readonly requestId: string;
    readonly identity: { readonly sourceIp: string; readonly userAgent?: string | null };
  };
}

/** At the handshake any status but 2xx refuses the driver; later it is ignored. */
export interface TunnelResult {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
