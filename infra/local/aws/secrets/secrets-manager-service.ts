import { dayMs } from "../../../../shared/vocabulary/time.ts";
import { type AwsError, notImplemented } from "../aws-error.ts";
import { jsonAnswer, parseJsonBody, presentJsonError } from "../json-protocol.ts";
import type { Answer, AwsService, ServiceCall } from "../service-call.ts";
import { listSecrets } from "./list-secrets.ts";
import {
  invalidSecretParameter,
  invalidSecretRequest,
  markedForDeletion,
  secretExists,
  secretNotFound,
} from "./secret-errors.ts";
import {
  CreateSecretRequest,
  DeleteSecretRequest,
  GetSecretValueRequest,
  ListSecretsRequest,
  PutSecretValueRequest,
  parseSecretRequest,
  SecretIdRequest,
  TagResourceRequest,
} from "./secret-requests.ts";
import type { SecretStore, StoredSecret } from "./secret-store.ts";
import { getVersion, newVersion, sameValue, withVersion } from "./secret-versions.ts";

type Handler = (call: ServiceCall, body: Record<string, unknown>) => unknown;

/** KMS keys are stored and not used. */
export class SecretsManagerService implements AwsService {
  readonly name = "secretsmanager";
  readonly #store: SecretStore;
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(store: SecretStore) {
    this.#store = store;
    this.#handlers = {
      CreateSecret: (call, body) => this.#create(call, parseSecretRequest(CreateSecretRequest, body)),
      GetSecretValue: (call, body) => this.#getValue(call, parseSecretRequest(GetSecretValueRequest, body)),
      PutSecretValue: (call, body) => this.#putValue(call, parseSecretRequest(PutSecretValueRequest, body)),
      DescribeSecret: (call, body) => this.#describe(call, parseSecretRequest(SecretIdRequest, body)),
      DeleteSecret: (call, body) => this.#delete(call, parseSecretRequest(DeleteSecretRequest, body)),
      RestoreSecret: (call, body) => this.#restore(call, parseSecretRequest(SecretIdRequest, body)),
      TagResource: (call, body) => this.#tag(call, parseSecretRequest(TagResourceRequest, body)),
      ListSecrets: (call, body) => this.#list(call, parseSecretRequest(ListSecretsRequest, body)),
    };
  }

  handle(call: ServiceCall): Answer {
    const handler = this.#handlers[call.operation];
    if (!handler) throw notImplemented(`Secrets Manager's ${call.operation}`);
    return jsonAnswer(handler(call, parseJsonBody(call.body)) ?? {}, "1.1");
  }

  present(error: AwsError): Answer {
    return presentJsonError(error, "", "1.1");
  }

  #create(call: ServiceCall, request: CreateSecretRequest) {
    const tags = tagsOf(request.Tags ?? []);
    const existing = this.#store.find(request.Name);
    const arn = existing?.arn ?? this.#store.newArn(request.Name);
    const context = {
      ...requestContext(tags),
      ...secretContext(existing),
      "secretsmanager:Name": request.Name,
    };
    call.authorize([
      { action: "secretsmanager:CreateSecret", resource: arn, context },
      ...(request.Tags ? [{ action: "secretsmanager:TagResource", resource: arn, context }] : []),
    ]);
    const now = this.#store.now();
    const version = newVersion(request, ["AWSCURRENT"], now);
    if (existing) return repeatedCreate(existing, version);
    this.#store.put({
      arn,
      name: request.Name,
      ...(request.Description !== undefined && { description: request.Description }),
      ...(request.KmsKeyId !== undefined && { kmsKeyId: request.KmsKeyId }),
      tags,
      createdAtMs: now,
      changedAtMs: now,
      versions: [version],
    });
    return { ARN: arn, Name: request.Name, VersionId: version.versionId };
  }

  #getValue(call: ServiceCall, request: ReturnType<typeof GetSecretValueRequest.parse>) {
    const secret = this.#authorized(call, "GetSecretValue", request.SecretId, {
      "secretsmanager:VersionId": request.VersionId,
      "secretsmanager:VersionStage": request.VersionStage ?? "AWSCURRENT",
    });
    if (secret.deletion) throw markedForDeletion();
    const version = getVersion(secret, request);
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.versionId,
      SecretString: version.secretString,
      SecretBinary: version.secretBinary,
      VersionStages: version.stages,
      CreatedDate: version.createdAtMs / 1000,
    };
  }

  #putValue(call: ServiceCall, request: PutSecretValueRequest) {
    const secret = this.#authorized(call, "PutSecretValue", request.SecretId, {});
    if (secret.deletion) throw markedForDeletion();
    const now = this.#store.now();
    const version = newVersion(request, request.VersionStages ?? ["AWSCURRENT"], now);
    this.#store.put(withVersion(secret, version, now));
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.versionId,
      VersionStages: version.stages,
    };
  }

  #describe(call: ServiceCall, request: ReturnType<typeof SecretIdRequest.parse>) {
    return describe(this.#authorized(call, "DescribeSecret", request.SecretId, {}));
  }

  #delete(call: ServiceCall, request: ReturnType<typeof DeleteSecretRequest.parse>) {
    const { RecoveryWindowInDays: days, ForceDeleteWithoutRecovery: force = false } = request;
    const context = {
      "secretsmanager:ForceDeleteWithoutRecovery": String(force),
      "secretsmanager:RecoveryWindowInDays": days === undefined ? undefined : String(days),
    };
    if (force && days !== undefined) {
      throw invalidSecretParameter(
        "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
      );
    }
    if (days !== undefined && (days < 7 || days > 30)) {
      throw invalidSecretParameter(
        "The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).",
      );
    }
    const now = this.#store.now();
    this.#authorizeOn(call, "DeleteSecret", request.SecretId, context);
    const secret = this.#store.find(request.SecretId);
    if (force) {
      // A forced deletion of a missing secret succeeds, as documented for DeleteSecret.
      if (secret) this.#store.remove(secret.name);
      const arn = secret?.arn ?? this.#store.arnOfMissing(request.SecretId);
      return { ARN: arn, Name: secret?.name ?? request.SecretId, DeletionDate: now / 1000 };
    }
    if (!secret) throw secretNotFound();
    if (secret.deletion) throw markedForDeletion();
    const purgeAtMs = now + (days ?? 30) * dayMs;
    this.#store.put({ ...secret, deletion: { deletedAtMs: now, purgeAtMs } });
    return { ARN: secret.arn, Name: secret.name, DeletionDate: purgeAtMs / 1000 };
  }

  #restore(call: ServiceCall, request: ReturnType<typeof SecretIdRequest.parse>) {
    const { deletion: _, ...secret } = this.#authorized(call, "RestoreSecret", request.SecretId, {});
    this.#store.put(secret);
    return { ARN: secret.arn, Name: secret.name };
  }

  #tag(call: ServiceCall, request: ReturnType<typeof TagResourceRequest.parse>) {
    const tags = tagsOf(request.Tags);
    const secret = this.#authorized(call, "TagResource", request.SecretId, requestContext(tags));
    if (secret.deletion) throw markedForDeletion();
    this.#store.put({ ...secret, tags: { ...secret.tags, ...tags } });
    return {};
  }

  #list(call: ServiceCall, request: ListSecretsRequest) {
    call.authorize([{ action: "secretsmanager:ListSecrets", resource: "*" }]);
    const page = listSecrets(this.#store.list(), request);
    return { SecretList: page.secrets.map(listed), NextToken: page.nextToken };
  }

  /** The permission is judged first, so that a name outside the grant cannot be probed. */
  #authorized(
    call: ServiceCall,
    operation: string,
    secretId: string,
    context: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): StoredSecret {
    this.#authorizeOn(call, operation, secretId, context);
    const secret = this.#store.find(secretId);
    if (!secret) throw secretNotFound();
    return secret;
  }

  #authorizeOn(
    call: ServiceCall,
    operation: string,
    secretId: string,
    context: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): void {
    const secret = this.#store.find(secretId);
    call.authorize([
      {
        action: `secretsmanager:${operation}`,
        resource: secret?.arn ?? this.#store.arnOfMissing(secretId),
        context: { ...context, ...secretContext(secret), "secretsmanager:SecretId": secret?.arn ?? secretId },
      },
    ]);
  }
}

function repeatedCreate(existing: StoredSecret, version: ReturnType<typeof newVersion>) {
  if (existing.deletion) {
    throw invalidSecretRequest(
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  }
  const same = existing.versions.find(({ versionId }) => versionId === version.versionId);
  if (!same || !sameValue(same, version)) {
    throw secretExists(`The operation failed because the secret ${existing.name} already exists.`);
  }
  return { ARN: existing.arn, Name: existing.name, VersionId: version.versionId };
}

function tagsOf(tags: readonly { readonly Key: string; readonly Value: string }[]): Record<string, string> {
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}

function requestContext(tags: Readonly<Record<string, string>>) {
  const each = Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value] as const);
  return { ...Object.fromEntries(each), "aws:RequestTag/*": undefined, "aws:TagKeys": Object.keys(tags) };
}

function secretContext(secret: StoredSecret | undefined) {
  const tags = Object.entries(secret?.tags ?? {});
  return {
    ...Object.fromEntries(tags.map(([key, value]) => [`aws:ResourceTag/${key}`, value])),
    ...Object.fromEntries(tags.map(([key, value]) => [`secretsmanager:ResourceTag/${key}`, value])),
    "aws:ResourceTag/*": undefined,
    "secretsmanager:ResourceTag/*": undefined,
  };
}

function describe(secret: StoredSecret) {
  const staged = secret.versions.filter(({ stages }) => stages.length > 0);
  return {
    ...common(secret),
    VersionIdsToStages: Object.fromEntries(staged.map(({ versionId, stages }) => [versionId, stages])),
  };
}

function listed(secret: StoredSecret) {
  const staged = secret.versions.filter(({ stages }) => stages.length > 0);
  return {
    ...common(secret),
    SecretVersionsToStages: Object.fromEntries(staged.map(({ versionId, stages }) => [versionId, stages])),
  };
}

function common(secret: StoredSecret) {
  return {
    ARN: secret.arn,
    Name: secret.name,
    Description: secret.description,
    KmsKeyId: secret.kmsKeyId,
    Tags: Object.entries(secret.tags).map(([Key, Value]) => ({ Key, Value })),
    CreatedDate: secret.createdAtMs / 1000,
    LastChangedDate: secret.changedAtMs / 1000,
    DeletedDate: secret.deletion ? secret.deletion.deletedAtMs / 1000 : undefined,
  };
}
