import { useParams } from 'react-router';
import { isRefusal } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { messages } from '../../lib/messages.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { GroupInfo } from './GroupInfo.tsx';
import { UserList } from './UserList.tsx';

const text = messages.groups;

/** The users of one group: of an account's group, or (the owners' page) of a group that is named alone. */
export function GroupUsersPage() {
  const { account_id: inAddress, id = '' } = useParams();
  const { currentData, error, refetch } = peopleApi.useGetGroupQuery({ id });
  const group = currentData?.msg;
  // The address may name another account than the group's.
  const account = group?.account_id ?? inAddress;
  const title = group?.name ?? (inAddress ? messages.users.group : text.owners);
  const steps = [
    { label: messages.nav.home, to: '/' },
    ...(account ? [{ label: messages.nav.groups, to: `/groups/${account}` }] : []),
  ];
  const trail = <Trail steps={steps} />;
  if (isRefusal(error)) {
    const to = inAddress ? `/groups/${inAddress}` : '/';
    return (
      <Missing
        title={messages.missing.group}
        to={to}
        label={inAddress ? messages.missing.groups : messages.missing.home}
      />
    );
  }
  if (error && !group) {
    return (
      <Page title={title} trail={trail}>
        <Failure title={text.oneFailed} error={error} retry={refetch} />
      </Page>
    );
  }
  if (!account) {
    return (
      <Page title={title} trail={trail}>
        <GroupInfo group={undefined} />
      </Page>
    );
  }
  return (
    <UserList
      key={id}
      account={account}
      group={id}
      info={group}
      title={title}
      trail={trail}
      panel={<GroupInfo group={group} />}
    />
  );
}
