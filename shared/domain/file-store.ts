import type { OrganizationId } from "./organization-id.ts";

/** A request that its bearer may make once, without credentials, until it expires. Never logged or stored. */
export interface PresignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresInSeconds: number;
}

export interface PresignPutOptions {
  readonly contentLength?: number;
  readonly expiresInSeconds: number;
  /** Signs only headers that drivers have always sent: the object does not say whose it is. */
  readonly isBare?: boolean;
}

export interface ListedObjects {
  readonly objects: readonly { readonly key: string; readonly modifiedAtMs: number }[];
  readonly nextAfter?: string;
}

/** The bucket. Keys come from the functions below, so that one organization can never name another's object. */
export interface FileStore {
  /** A client's upload on its way to a desktop: `uploads/<organization>/<upload id>`. */
  uploadKey(organizationId: OrganizationId, uploadId: string): string;
  /** A body too large for the tunnel, in either direction: `tunnel/<organization>/<id>`. */
  tunnelKey(organizationId: OrganizationId, id: string): string;
  /** A heavy field of an entity: `spill/<organization>/<kind>/<id>/<field>-<object id>`. */
  spillKey(organizationId: OrganizationId, kind: string, id: string, field: string, objectId: string): string;
  /** An attachment's file: `attachments/<organization>/<run id>/<attachment id>`. */
  attachmentKey(organizationId: OrganizationId, runId: string, attachmentId: string): string;
  /** The key of an execution's own object: `steps/<organization>/<run id>/<name>`, a picture or its plan. */
  stepKey(organizationId: OrganizationId, runId: string, name: string): string;
  stepPrefix(organizationId: OrganizationId, runId: string): string;
  /** For an object that is not there yet: made once, it cannot be replaced, and a repeated PUT is 412. */
  presignPut(key: string, options: PresignPutOptions): Promise<PresignedRequest>;
  presignGet(
    key: string,
    options: { readonly expiresInSeconds: number; readonly filename?: string },
  ): Promise<PresignedRequest>;
  put(key: string, body: Uint8Array, contentType: string): Promise<void>;
  /** Undefined when there is no such object. @throws {DomainError} `answer_too_large` above `maxBytes`. */
  get(key: string, maxBytes: number): Promise<Uint8Array | undefined>;
  size(key: string): Promise<number | undefined>;
  /** As `size`, by the permission to list alone. */
  has(key: string): Promise<boolean>;
  /** Undefined when the object does not say for which table it was made. */
  tableOf(key: string): Promise<string | undefined>;
  remove(key: string): Promise<void>;
  /** At most 1,000 objects with keys after that one. */
  list(prefix: string, after: string): Promise<ListedObjects>;
}
