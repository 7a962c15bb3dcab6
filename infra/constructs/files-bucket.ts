import type { IKey } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type CorsRule,
  HttpMethods,
} from "aws-cdk-lib/aws-s3";
import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { type KeptPrefix, keptPrefixes } from "../../shared/vocabulary/files.ts";
import { restorableDays } from "../../shared/vocabulary/time.ts";
import type { ServiceFunction } from "./service-function.ts";

/** Objects with these prefixes are useless a day later. */
const passingPrefixes = ["tunnel/", "uploads/"] as const;

/** These objects are useless once the steps of their run are gone. */
const stepsPrefix = "steps/";

export interface FilesBucketProps {
  readonly logicalId: string;
  readonly stepDays: number;
  /** Pages of these origins may put and get by presigned URLs; one may have a `*`. */
  readonly pageOrigins: readonly string[];
  /** @default a key that S3 manages */
  readonly encryptionKey?: IKey | undefined;
}

const objectsReason = "The objects of this bucket are made at run time.";

/** A presigned URL is the permission; its headers are signed. S3 returns the origin of the request, not the rule's. */
function pagesOf(origins: readonly string[]): CorsRule {
  const allowedMethods = [HttpMethods.GET, HttpMethods.HEAD, HttpMethods.PUT];
  return { allowedOrigins: [...origins], allowedMethods, allowedHeaders: ["*"], maxAge: 3_600 };
}

/** Versions only make deletions reversible for as long as the table can be restored. */
export class FilesBucket extends Construct {
  readonly bucket: Bucket;
  readonly #name: string;
  readonly #arn: string;
  readonly #domainName: string;

  constructor(scope: Construct, id: string, props: FilesBucketProps) {
    super(scope, id);
    const { logicalId, stepDays, pageOrigins, encryptionKey } = props;
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      cors: [pagesOf(pageOrigins)],
      lifecycleRules: [
        ...passingPrefixes.map((prefix) => ({
          id: `expire-${prefix.replace("/", "")}`,
          prefix,
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        })),
        {
          id: "expire-steps",
          prefix: stepsPrefix,
          expiration: Duration.days(stepDays),
          noncurrentVersionExpiration: Duration.days(1),
        },
        ...keptPrefixes.map((prefix) => ({
          id: `keep-deleted-${prefix.replace("/", "")}`,
          prefix,
          noncurrentVersionExpiration: Duration.days(restorableDays),
        })),
        { id: "remove-marks-of-deletions", expiredObjectDeleteMarker: true },
        { id: "abort-uploads-left-unfinished", abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    (this.bucket.node.defaultChild as CfnBucket).overrideLogicalId(logicalId);
    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Access logs would name every customer's objects in a second bucket that deletion does not reach; " +
        "CloudTrail data events can be switched on for an account that wants them.",
    });
    const stack = Stack.of(this);
    this.#name = stack.exportValue(this.bucket.bucketName);
    this.#arn = stack.exportValue(this.bucket.bucketArn);
    this.#domainName = stack.exportValue(this.bucket.bucketRegionalDomainName);
  }

  bindAddress(fn: ServiceFunction): void {
    fn.set("FILES_URL", `https://${this.#domainName}`);
  }

  /** The function deletes pictures that were read, and a driver's upload that is too large. */
  bindPassing(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject", "s3:PutObject"], passingPrefixes);
    this.#allow(fn, ["s3:DeleteObject"], ["tunnel/"]);
    this.#allowMissing(fn);
  }

  bindReadWrite(fn: ServiceFunction, prefix: KeptPrefix): void {
    this.#allow(fn, ["s3:GetObject"], [prefix]);
    this.bindWrite(fn, prefix);
    this.#allowMissing(fn);
  }

  bindWrite(fn: ServiceFunction, prefix: KeptPrefix): void {
    this.bindAdd(fn, prefix);
    this.#allow(fn, ["s3:DeleteObject"], [prefix]);
  }

  bindAdd(fn: ServiceFunction, prefix: KeptPrefix): void {
    this.#allow(fn, ["s3:PutObject", "s3:PutObjectTagging"], [prefix]);
  }

  bindRead(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject"], ["spill/"]);
    this.#allowMissing(fn);
  }

  bindExecuting(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject", "s3:PutObject"], ["tunnel/", ...keptPrefixes, stepsPrefix]);
    this.#allow(fn, ["s3:PutObjectTagging"], keptPrefixes);
    this.#allow(fn, ["s3:DeleteObject"], ["tunnel/", stepsPrefix]);
    this.#allowMissing(fn);
  }

  bindWriteSteps(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:PutObject"], [stepsPrefix]);
  }

  bindReadSteps(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:GetObject"], [stepsPrefix]);
    this.#allowMissing(fn);
  }

  /** The table has the keys of entities' objects; a run's steps are listed. */
  bindDelete(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:DeleteObject"], [...keptPrefixes, stepsPrefix]);
    fn.allow({
      actions: ["s3:ListBucket"],
      resources: [this.#arn],
      conditions: { StringLike: { "s3:prefix": [`${stepsPrefix}*`] } },
    });
  }

  /** The sweeper reads spilled outputs because a run that it assigns may refer to them. */
  bindSweep(fn: ServiceFunction): void {
    this.#allow(fn, ["s3:DeleteObject", "s3:GetObjectTagging"], [...keptPrefixes, stepsPrefix]);
    this.#allow(fn, ["s3:GetObject"], ["spill/"]);
    this.#allowMissing(fn);
  }

  #allow(fn: ServiceFunction, actions: readonly string[], prefixes: readonly string[]): void {
    const resources = prefixes.map((prefix) => `${this.#arn}/${prefix}*`);
    fn.allow({ actions, resources, wildcardReason: objectsReason });
    fn.set("BUCKET_NAME", this.#name);
  }

  /** Without this S3 returns 403 instead of 404 for a missing object; that request has no prefix to restrict. */
  #allowMissing(fn: ServiceFunction): void {
    fn.allow({ actions: ["s3:ListBucket"], resources: [this.#arn] });
  }
}
