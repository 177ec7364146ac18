<?php
require 'GuzzleHttp/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\Header;

$client = new Client([
    'base_uri' => getenv('URL') . '/',
    'headers' => ['Authorization' => 'Bearer ' . getenv('KEY')],
]);
$url = 'pets?limit=2';
while ($url !== null) {
    $response = $client->get($url);
    foreach (json_decode($response->getBody()) as $pet) {
        echo $pet->name, "\n";
    }
    $links = array_column(Header::parse($response->getHeader('Link')), 0, 'rel');
    $url = isset($links['next']) ? trim($links['next'], '<>') : null;
}
