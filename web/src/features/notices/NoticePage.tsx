import { useDocumentTitle } from '@mantine/hooks';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { SignOut } from '../../ui/SignOut.tsx';
import { Splash } from '../../ui/Splash.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';

export const AccountIssuePage = () => (
  <NoticePage title={messages.notices.accountIssueTitle} text={messages.notices.accountIssue} />
);

export const AccountDisabledPage = () => (
  <NoticePage title={messages.notices.accountDisabledTitle} text={messages.notices.accountDisabled} />
);

/** Why a signed-in person gets no further. Try again signs out, so that another identity can be used. */
function NoticePage({ title, text }: { title: string; text: string }) {
  const session = useSession();
  useDocumentTitle(`${title} · Warren`);
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{messages.notices.greeting(session.name || session.email)}</h1>
      <span>{text}</span>
      <SignOut label={messages.notices.tryAgain} />
    </Splash>
  );
}
