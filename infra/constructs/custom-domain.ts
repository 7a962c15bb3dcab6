import { ApiMapping, DomainName, type IApi, type IStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { CfnOutput } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface CustomDomainProps {
  readonly hostName: string;
  readonly certificateArn: string;
  readonly api: IApi;
  readonly stage: IStage;
  /** The stack's output that names where the host name's DNS record points to. */
  readonly outputName: string;
}

/**
 * A host name for one API. A domain cannot serve an HTTP and a WebSocket API at once, so each has its own.
 *
 * The mapping has no key: with one, API Gateway would put it before every path.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mappings.html
 */
export class CustomDomain extends Construct {
  constructor(scope: Construct, id: string, props: CustomDomainProps) {
    super(scope, id);
    const domainName = new DomainName(this, "DomainName", {
      domainName: props.hostName,
      certificate: Certificate.fromCertificateArn(this, "Certificate", props.certificateArn),
    });
    new ApiMapping(this, "Mapping", { api: props.api, domainName, stage: props.stage });
    new CfnOutput(this, "Target", {
      description: `What the DNS alias or CNAME of ${props.hostName} points to.`,
      value: domainName.regionalDomainName,
    }).overrideLogicalId(props.outputName);
  }
}
