import { type DeployOptions, prepareDeploy } from './plan/prepare.ts';
import { type DeployReport, type RunOptions, runDeploy } from './send/run.ts';

/** Deploys a folder without showing the plan first. Throws what `prepareDeploy` and `runDeploy` throw. */
export const deployFolder = async (options: DeployOptions & RunOptions): Promise<DeployReport> =>
  runDeploy(await prepareDeploy(options), options);
