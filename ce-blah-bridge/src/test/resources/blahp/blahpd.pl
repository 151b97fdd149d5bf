#!/usr/bin/perl
# A double of blahpd: speaks its grammar and answers as a real one was recorded to.
# Arguments: a file of answers, a file to log commands in. An answer is a line "VERB argument<TAB>result words";
# "*" as argument is any; several lines for the same are given one after the other, the last one for ever.
# "HANG" as a result is never given; "DIE" ends the double; "RUN" does the work: runs the job as the account named last,
# tells its state, kills it, and logs submissions in the file of the third argument, one a day.
use strict;
use warnings;
$| = 1;
my ($answers, $journal, $accounting) = @ARGV;
my (%given, @results, $async, $told, $account);
$SIG{CHLD} = 'IGNORE';
open my $in, '<', $answers or die "no answers: $!";
while (<$in>) {
    chomp;
    next if /^#/ || !/\t/;
    my ($what, $result) = split /\t/, $_, 2;
    push @{ $given{$what} }, $result;
}
open my $log, '>>', $journal or die "no journal: $!";
$log->autoflush(1);

sub reply { print $_[0], "\r\n" }

sub submit {
    my ($ad) = @_;
    my %job = $ad =~ /(\w+)="((?:[^"\\]|\\.)*)"/g;
    my @user = $account ? getpwnam($account) : ();
    my $pid = fork();
    if (!$pid) {
        require POSIX;
        if (@user) { $( = $) = "$user[3] $user[3]"; POSIX::setgid($user[3]); POSIX::setuid($user[2]) }
        POSIX::setsid();
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', $job{Out};
        open STDERR, '>', $job{Err};
        %ENV = (PATH => '/usr/bin:/bin', LSB_JOBID => $$);
        exec $job{Cmd};
        exit 127;
    }
    my @t = gmtime;
    my $day = sprintf '%04d%02d%02d', $t[5] + 1900, $t[4] + 1, $t[3];
    open my $out, '>>', "$accounting-$day" or die "no accounting: $!";
    print {$out} qq("userDN=$job{x509UserProxySubject}" "lrmsID=$pid" "localUser=0" "clientID=$job{ClientJobId}"\n);
    close $out;
    return "0 No\\ error lsf/$day/$pid";
}

sub work {
    my ($verb, $argument) = @_;
    (my $plain = $argument) =~ s/\\ / /g;
    $plain =~ s/\\\\/\\/g;
    return submit($plain) if $verb eq 'BLAH_JOB_SUBMIT';
    my ($pid) = $plain =~ m{/(\d+)\z};
    my $alive = $pid && kill 0, $pid;
    if ($verb eq 'BLAH_JOB_CANCEL') {
        return '1 no\ such\ job' if !$alive;
        kill 'TERM', -$pid;
        return '0 No\ error';
    }
    return $alive
        ? '0 No\ Error 2 [\ JobStatus\ =\ 2;\ WorkerNode\ =\ "here"\ ]'
        : '0 No\ Error 4 [\ ExitCode\ =\ 0;\ JobStatus\ =\ 4\ ]';
}

# As the real one: NUL bytes may stand at the end of the banner.
print "\$GahpVersion: 1.8.0  blahpd\\ v.1.23.0\\ (INFN) \$ \0\r\n";
while (my $line = <STDIN>) {
    $line =~ s/\r?\n\z//;
    print {$log} "$line\n";
    my ($verb, @args) = split /(?<!\\) /, $line;
    if ($verb eq 'ASYNC_MODE_ON') { $async = 1; reply('S Async\ mode\ on') }
    elsif ($verb eq 'VERSION') { reply('S $GahpVersion: 1.8.0  blahpd\ v.1.23.0\ (INFN) $') }
    elsif ($verb eq 'QUIT') { reply('S Server\ exiting'); exit 0 }
    elsif ($verb eq 'BLAH_SET_SUDO_OFF') { $account = undef; reply('S Sudo\ mode\ off') }
    elsif ($verb eq 'BLAH_SET_SUDO_ID') {
        $account = $args[0];
        my $refused = $given{"BLAH_SET_SUDO_ID $args[0]"};
        reply($refused ? $refused->[0] : 'S Sudo\ mode\ on');
    }
    elsif ($verb eq 'COMMANDS') { my %all = map { (split / /)[0] => 1 } keys %given; reply(join ' ', 'S', sort keys %all) }
    elsif ($verb eq 'RESULTS') {
        reply('S ' . @results);
        reply($_) for @results;
        @results = ();
        $told = 0;
    }
    else {
        my ($id, $argument) = @args;
        my $list = $given{"$verb $argument"} || $given{"$verb *"};
        if (!$list) { reply('E Unknown\ command'); next }
        my $result = @$list > 1 ? shift @$list : $list->[0];
        exit 1 if $result eq 'DIE';
        $result = work($verb, $argument) if $result eq 'RUN';
        reply('S');
        push @results, "$id $result" unless $result eq 'HANG';
    }
    if ($async && @results && !$told) { reply('R'); $told = 1 }
}
