import { identitiesOf } from '../../shared/identities.ts';
import type { Link } from '../connection/link.ts';

interface Node {
  readonly TopologyId?: string;
  readonly ServerId?: string;
  readonly Topology?: { readonly TopologyId?: string };
}

/**
 * All nodes of a cluster are one server, so the identities are the topology's number and the number of the server that
 * answers.
 */
export const identities = (link: Link): Promise<readonly string[]> => {
  const ask = (path: string) => async () => {
    const { TopologyId, ServerId, Topology } = (await link.ask({ path, ofServer: true })) as Node;
    const cluster = TopologyId ?? Topology?.TopologyId;
    return [cluster && `cluster ${cluster}`, ServerId && `server ${ServerId}`];
  };
  return identitiesOf([ask('/cluster/topology'), ask('/cluster/node-info')]);
};
