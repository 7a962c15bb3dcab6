import { screenSuite } from "../../support/ports/screen.suite.ts";
import { openForwardedWorld } from "../../support/screens/forwarded-world.ts";
import { openSimulatedWorld } from "../../support/screens/simulated-world.ts";

screenSuite(() => openForwardedWorld(openSimulatedWorld()), { releasesHeld: false });
