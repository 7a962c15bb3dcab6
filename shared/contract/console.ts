/** How people sign in to the console: the code flow with PKCE (RFC 7636) at an OpenID provider. */
export interface ConsoleSignIn {
  /** The `iss` of its tokens. */
  readonly issuer: string;
  /** A public client: the page keeps no secret. */
  readonly clientId: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly scope: string;
  /** Which of the provider's tokens the service takes. */
  readonly token: "access_token" | "id_token";
  /** Some providers make a token for an API only when it is named as `audience`. */
  readonly audience?: string | undefined;
}

/** What the console's page needs to know of its deployment. */
export interface ConsoleSettings {
  readonly version: string;
  /** The address that drivers connect to, as people are told it, and live tickets lead to. */
  readonly websocketUrl: string;
  /** `null` where people sign in by an API key alone. */
  readonly signIn: ConsoleSignIn | null;
}
