import { screenSuite } from "../../support/ports/screen.suite.ts";
import { openSimulatedWorld } from "../../support/screens/simulated-world.ts";

screenSuite(openSimulatedWorld);
