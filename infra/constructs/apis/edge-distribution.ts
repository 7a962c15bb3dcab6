import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { CfnOutput, Duration, SecretValue, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { EdgeHeader } from "../../../shared/contract/edge.ts";
import { edgeSecretOutput } from "../../edge-step.ts";
import { createKeySecret } from "../secrets/service-key.ts";
import type { ServiceFunction } from "../service-function.ts";
import type { CustomDomain } from "./custom-domain.ts";

/** An HTTP API waits 30 s, so a late response is the API's own. */
const readTimeout = Duration.seconds(35);

export interface EdgeDistributionProps {
  readonly hostName: string;
  /** CloudFront requires a certificate in us-east-1. */
  readonly certificateArn: string;
  /** The API's custom domain has the same host name. */
  readonly origin: CustomDomain;
  readonly webAclArn: string;
  readonly secretVersionId: string | undefined;
}

/** AWS WAF does not support HTTP APIs. With `edge: "require"`, requests without the distribution's secret are refused. */
export class EdgeDistribution extends Construct {
  readonly #secret: Secret;

  constructor(scope: Construct, id: string, props: EdgeDistributionProps) {
    super(scope, id);
    this.#secret = createKeySecret(this, "OriginSecret", {
      description: "What the CloudFront distribution proves itself by.",
      rotation: "Rotated by put-secret-value and a deployment of the distribution (RUNBOOK.md).",
    });
    const distribution = new Distribution(this, "Distribution", {
      comment: "The HTTP API, behind AWS WAF.",
      domainNames: [props.hostName],
      certificate: Certificate.fromCertificateArn(this, "Certificate", props.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      webAclId: props.webAclArn,
      defaultBehavior: {
        origin: new HttpOrigin(props.origin.regionalDomainName, {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          readTimeout,
          customHeaders: {
            [EdgeHeader.originSecret]: this.#secretValue(props.secretVersionId).unsafeUnwrap(),
          },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // API Gateway needs Host to find the API, and functions need the viewer's address.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_AND_CLOUDFRONT_2022,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        compress: false,
      },
    });
    Validations.of(distribution).acknowledge(
      { id: "AwsSolutions-CFR1", reason: "Customers' programs may be anywhere." },
      {
        id: "AwsSolutions-CFR3",
        reason: "The API's access log has what came through, AWS WAF's metrics what did not.",
      },
    );
    props.origin.addRecord({
      dnsName: distribution.distributionDomainName,
      hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID,
    });
    new CfnOutput(this, "SecretArn", {
      description: "The secret that the distribution sends.",
      value: this.#secret.secretArn,
    }).overrideLogicalId(edgeSecretOutput);
  }

  /** CloudFormation resolves the value, so that it is in no template. */
  #secretValue(versionId: string | undefined): SecretValue {
    const version = versionId === undefined ? {} : { versionId };
    return SecretValue.secretsManager(this.#secret.secretArn, { jsonField: "key", ...version });
  }

  /** Sets ORIGIN_SECRET, by which the function refuses requests that bypass the distribution. */
  bindOrigin(fn: ServiceFunction): void {
    fn.allow({ actions: ["secretsmanager:GetSecretValue"], resources: [this.#secret.secretArn] });
    fn.set("ORIGIN_SECRET", this.#secret.secretArn);
  }
}
