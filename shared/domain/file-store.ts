import type { OrganizationId } from "./organization-id.ts";

/** A request that its bearer may make once, without credentials, until it expires. It is never logged or stored. */
export interface PresignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresInSeconds: number;
}

export interface PresignPutOptions {
  readonly contentLength?: number;
  readonly expiresInSeconds: number;
  /** Signs only headers that drivers have always sent, so the object does not name its table. */
  readonly isBare?: boolean;
}

export interface ListedObjects {
  readonly objects: readonly { readonly key: string; readonly modifiedAtMs: number }[];
  readonly nextAfter?: string;
}

/** The bucket. Its keys come only from these functions, so that no organization can name another's object. */
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
  /** The object does not exist yet. Once created it cannot be replaced, and a repeated PUT is 412. */
  presignPut(key: string, options: PresignPutOptions): Promise<PresignedRequest>;
  presignGet(
    key: string,
    options: { readonly expiresInSeconds: number; readonly filename?: string },
  ): Promise<PresignedRequest>;
  put(key: string, body: Uint8Array, contentType: string): Promise<void>;
  /** Returns undefined when there is no such object. @throws {DomainError} `answer_too_large` above `maxBytes`. */
  get(key: string, maxBytes: number): Promise<Uint8Array | undefined>;
  size(key: string): Promise<number | undefined>;
  /** Works like `size`, but needs only the permission to list. */
  has(key: string): Promise<boolean>;
  /** Returns undefined when the object does not name the table that it was made for. */
  tableOf(key: string): Promise<string | undefined>;
  remove(key: string): Promise<void>;
  /** Lists at most 1,000 objects whose keys follow `after`. */
  list(prefix: string, after: string): Promise<ListedObjects>;
}
