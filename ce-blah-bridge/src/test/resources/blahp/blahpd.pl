#!/usr/bin/perl
# A double of blahpd: speaks its grammar and answers as a real one was recorded to.
# Arguments: a file of answers, a file to log commands in. An answer is a line "VERB argument<TAB>result words";
# "*" as argument is any; several lines for the same are given one after the other, the last one for ever.
# "HANG" as a result is never given; "DIE" ends the double.
use strict;
use warnings;
$| = 1;
my ($answers, $journal) = @ARGV;
my (%given, @results, $async, $told);
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

# As the real one: NUL bytes may stand at the end of the banner.
print "\$GahpVersion: 1.8.0  blahpd\\ v.1.23.0\\ (INFN) \$ \0\r\n";
while (my $line = <STDIN>) {
    $line =~ s/\r?\n\z//;
    print {$log} "$line\n";
    my ($verb, @args) = split /(?<!\\) /, $line;
    if ($verb eq 'ASYNC_MODE_ON') { $async = 1; reply('S Async\ mode\ on') }
    elsif ($verb eq 'VERSION') { reply('S $GahpVersion: 1.8.0  blahpd\ v.1.23.0\ (INFN) $') }
    elsif ($verb eq 'QUIT') { reply('S Server\ exiting'); exit 0 }
    elsif ($verb eq 'BLAH_SET_SUDO_OFF') { reply('S Sudo\ mode\ off') }
    elsif ($verb eq 'BLAH_SET_SUDO_ID') {
        my $refused = $given{"BLAH_SET_SUDO_ID $args[0]"};
        reply($refused ? $refused->[0] : 'S Sudo\ mode\ on');
    }
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
        reply('S');
        push @results, "$id $result" unless $result eq 'HANG';
    }
    if ($async && @results && !$told) { reply('R'); $told = 1 }
}
